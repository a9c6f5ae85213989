internal import RefreshBroker
internal import RefreshProtocol

/// The requests with which the `http` backend sends edits, and the reading of their answers.
/// Source: docs/backends.md, "Edits".
struct HTTPEdit: Sendable {
    private let url: String
    private let options: HTTPOptions
    /// The headers of every request.
    private let headers: [HeaderField]

    init(url: String, options: HTTPOptions) {
        self.url = url
        self.options = options
        let standard = ["Accept", "Content-Type"].filter { name in
            !options.headers.contains { $0.name.lowercased() == name.lowercased() }
        }
        headers =
            options.headers + standard.map { HeaderField(name: $0, value: "application/json") }
    }

    /// Returns the request for a call. Throws `backendRejected` if a value is not allowed in a
    /// header.
    func request(for call: EditCall) throws(LoadFailure) -> HTTPRequest {
        let edit = call.request
        var headers = headers
        headers += try options.forwarded(edit.headers)
        headers.append(HeaderField(name: "Idempotency-Key", value: edit.idempotencyKey))
        let leftMs = Int(min(600_000, max(1, call.remainingMs)))
        return HTTPRequest(
            method: .post, url: url, body: Self.body(of: call), headers: headers,
            timeoutMs: min(options.totalTimeoutMs, leftMs))
    }

    private static func body(of call: EditCall) -> [UInt8] {
        let edit = call.request
        var out = ByteBuffer(capacity: 256)
        out.append(literal: #"{"edit":"#)
        out.appendQuoted(edit.idempotencyKey)
        out.append(literal: #","attempt":"#)
        out.append(call.attempt)
        out.append(literal: #","operation":"#)
        edit.operation.append(to: &out)
        out.append(literal: #","parameters":"#)
        out.append(edit.parameters)
        if let subject = edit.subject {
            out.append(literal: #","subject":"#)
            out.appendQuoted(subject)
        }
        out.append(UInt8(ascii: "}"))
        return out.bytes
    }

    /// Returns the item of an answer; nil if the answer only confirms the edit.
    static func item(of answer: HTTPAnswer) throws(LoadFailure) -> [UInt8]? {
        switch answer.status {
        case 204: return nil
        case 200: return try EditAnswer.item(in: answer.body)
        // After a `POST`, a redirect to a page about its result is usual. The statuses 307 and 308
        // state that the request was not performed.
        case 200..<307:
            throw LoadFailure(
                .backendAnswerMalformed, "The backend answered \(answer.status) to an edit.")
        default: throw answer.failure
        }
    }
}

extension HTTPOptions {
    /// Returns those of the client's headers that are forwarded, each once. Throws
    /// `backendRejected` if a value contains control characters.
    func forwarded(_ given: [HeaderField]) throws(LoadFailure) -> [HeaderField] {
        var headers: [HeaderField] = []
        for name in forward {
            guard let value = given.first(where: { $0.name == name })?.value else { continue }
            guard HTTPHeaderRules.isValue(value) else {
                throw LoadFailure(.backendRejected, "A header's value contains control characters.")
            }
            headers.append(HeaderField(name: name, value: value))
        }
        return headers
    }
}
