import RefreshProtocol

/// Views that are attached and detached while the client has a connection.
extension ClientMachine {
    /// A view that is attached or detached after `hello`. Its number is reserved; the message
    /// itself is built when it is sent, so that an `attach` has the sizes of that time.
    struct LateChange: Hashable, Sendable {
        enum Kind: String { case attach, detach }

        var kind: Kind
        var view: String
        var seq: UInt64
    }

    /// The views whose `attach` waits for `welcome`.
    var lateViews: Set<String> {
        Set(lateChanges.filter { $0.kind == .attach }.map(\.view))
    }

    /// The message that attaches or detaches a view; nil for an `attach` of an unknown view.
    func message(for change: LateChange) -> JSONValue? {
        var message = Self.message(change.kind.rawValue, change.view)
        if change.kind == .attach {
            guard let index = viewIndex(change.view) else { return nil }
            message = views[index].description(resumes: false)
            message["type"] = .string(change.kind.rawValue)
        }
        message["seq"] = .number(Double(change.seq))
        return message
    }
}
