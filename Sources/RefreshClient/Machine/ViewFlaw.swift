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
    init?(of body: JSONValue) {
        let name = body["view"]?.string ?? ""
        let count = name.utf8.count
        if !Self.nameBytes.contains(count) {
            code = .invalidField
            text = "The name of the view has \(count) bytes; it must have 1 to 32 bytes."
        } else if name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        {
            code = .invalidField
            text = "The name of the view contains a control character."
        } else if let field = body.nonFiniteField {
            code = .numberOutOfRange
            text = "The view was not attached, because `\(field)` is not a finite number."
        } else {
            return nil
        }
    }
}

extension ClientMachine {
    /// Adds a view. Returns the fault of a view that cannot be attached.
    mutating func add(_ body: JSONValue) -> [Effect] {
        let view = ViewMachine(body: body, hasFeatures: configuration.features != nil)
        views.append(view)
        guard let flaw = view.flaw else { return [] }
        return [
            .emit(
                .fault(flaw.code, name: flaw.code.rawValue, message: flaw.text, view: view.name))
        ]
    }

    /// The report about a message that has a number which JSON cannot represent; nil if it has no
    /// such number.
    static func report(_ message: JSONValue) -> Effect? {
        guard let field = message.nonFiniteField else { return nil }
        let type = message["type"]?.string ?? ""
        return .emit(
            .diagnostic(
                nil,
                message: "The client has ignored `\(type)`, because `\(field)` is not a finite "
                    + "number.",
                field: field, view: message["view"]?.string, page: nil))
    }
}
