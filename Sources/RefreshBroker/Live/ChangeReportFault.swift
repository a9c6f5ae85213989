internal import RefreshProtocol

/// The reason why the report of a change is refused. Source: docs/backends.md, "What has changed".
package struct ChangeReportFault: Error, Hashable {
    package enum Code: String, Sendable {
        case bodyMalformed, noItemKey, tooLarge
    }

    package let code: Code
    /// The explanation for the reporter: a sentence.
    package let message: String

    /// The status of the answer to a request.
    package var status: Int {
        switch code {
        case .bodyMalformed: 400
        case .noItemKey: 409
        case .tooLarge: 413
        }
    }

    /// The body of the answer to a request.
    package var json: [UInt8] {
        var out = ByteBuffer(capacity: 128)
        out.append(literal: #"{"code":"#)
        out.appendQuoted(code.rawValue)
        out.append(literal: #","message":"#)
        out.appendQuoted(message)
        out.append(UInt8(ascii: "}"))
        return out.bytes
    }

    private init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    static let noItemKey = ChangeReportFault(
        .noItemKey, "The feed has no `itemKey`, so it accepts no `operations`.")
    package static let tooLarge = ChangeReportFault(
        .tooLarge, "The report has more than \(ItemChange.bytesMax) bytes.")
    static let notAnObject = ChangeReportFault(.bodyMalformed, "The body is not a JSON object.")

    /// `member`: the path of the faulty member, such as `operations[2].insert`.
    static func malformed(_ member: String, _ problem: String) -> ChangeReportFault {
        ChangeReportFault(.bodyMalformed, "`\(member)` \(problem).")
    }
}
