import RefreshProtocol

/// The reason why a view cannot be attached. The daemon would refuse the whole `hello` because of
/// it, so that the client refuses the view itself.
struct ViewFlaw: Hashable, Sendable {
    var code: FaultCode
    /// The reason in one sentence.
    var text: String

    /// The length of a view's name in bytes. Source: docs/protocol.md, "attach".
    static let nameBytes = 1...32

    /// The flaw of the view with this body of `attach`; nil if it has none.
    init?(of body: JSONValue, within bounds: MessageBounds) {
        let name = body["view"]?.string ?? ""
        let count = name.utf8.count
        if !Self.nameBytes.contains(count) {
            code = .invalidField
            text = "The name of the view has \(count) bytes; it must have 1 to 32 bytes."
        } else if name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        {
            code = .invalidField
            text = "The name of the view contains a control character."
        } else if let flaw = bounds.flaw(of: body) {
            code = flaw.code
            text = "The view was not attached, because \(flaw.text)."
        } else {
            return nil
        }
    }
}

extension ClientMachine {
    /// Adds a view. Returns the fault of a view that cannot be attached.
    mutating func add(_ body: JSONValue) -> [Effect] {
        let view = ViewMachine(
            body: body, hasFeatures: configuration.features != nil, within: link.bounds)
        views.append(view)
        guard let flaw = view.flaw else { return [] }
        return [
            .emit(
                .fault(flaw.code, name: flaw.code.rawValue, message: flaw.text, view: view.name))
        ]
    }

    /// The report about a message for whose sake the daemon would refuse a whole frame; nil if it
    /// would not. The client ignores such a message: a kept one would be refused with each `hello`.
    func report(_ message: JSONValue) -> Effect? {
        link.bounds.flaw(of: message).map { flaw in
            Self.report("The client has ignored", message, because: flaw.text, field: flaw.field)
        }
    }

    /// The report that the client does not send a message. `action` is the beginning of its first
    /// sentence.
    static func report(
        _ action: String, _ message: JSONValue, because reason: String, field: String? = nil
    ) -> Effect {
        let type = message["type"]?.string ?? ""
        return .emit(
            .diagnostic(
                nil, message: "\(action) `\(type)`, because \(reason).", field: field,
                view: message["view"]?.string, page: nil))
    }
}
