import RefreshProtocol

/// The machine-readable contract: every message of every channel, and the parts of messages.
///
/// docs/messages.schema.json and docs/asyncapi.json are generated from the contract.
/// `refresh-probe` checks the messages of tested servers and clients against the contract.
package enum Contract {
    /// A part that several messages have in common.
    struct Definition {
        let name: String
        let meaning: String
        let shape: Shape

        init(_ name: String, _ meaning: String, _ shape: Shape) {
            self.name = name
            self.meaning = meaning
            self.shape = shape
        }
    }

    /// All messages, in the order of docs/protocol.md.
    package static let messages: [MessageShape] =
        clientMessages + daemonMessages + workerMessages + brokerMessages + watchEvents

    /// Returns the message of this type from this sender; nil if there is none.
    package static func message(_ sender: Speaker, _ type: String) -> MessageShape? {
        messages.first { $0.sender == sender && $0.type == type }
    }

    /// The definitions that messages refer to.
    static let definitions: [Definition] =
        identifiers + geometryParts + optionParts + updateDefinitions

    private static let identifiers = [
        Definition(
            "view", "The client's name for a view: 1 to 32 bytes of UTF-8.",
            .text(
                Shape.TextBounds(
                    least: 1, most: ViewID.bytesMax,
                    pattern: #"^[^\u0000-\u001f\u007f-\u009f]*$"#))),
        Definition(
            "load", "The identifier of a load.",
            .text(Shape.TextBounds(pattern: #"^(0|[1-9][0-9]{0,9})\.(0|[1-9][0-9]{0,9})$"#))),
        Definition(
            "seq", "The number of a client's message; it grows through the session.",
            .whole(1...((1 << 53) - 1))),
        Definition(
            "ack", "The last `seq` that the message covers; 0: none.", .whole(0...((1 << 53) - 1))),
        Definition(
            "generation", "The number that distinguishes views of the same name.",
            .whole(0...Int(UInt32.max))),
        Definition("edge", "An edge of a view.", .words(Edge.self)),
        Definition(
            "intentCause", "What caused a client's message.", .words(Cause.self, where: \.mayBeSent)
        ),
        Definition("cause", "The cause of a change or of a load.", .words(Cause.self)),
        Definition(
            "diagnosticCode", "The code of a diagnostic: docs/protocol.md, Diagnostics.",
            .words(DiagnosticCode.self)),
        Definition(
            "faultCode", "The code of a fault: docs/protocol.md, Faults.", .words(FaultCode.self)),
    ]
}
