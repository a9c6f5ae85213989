import RefreshProtocol

/// A message of the protocol: its sender, meaning, members and examples.
package struct MessageShape: Sendable {
    /// The party that sends the message.
    package let sender: Speaker
    /// The value of `type` or `event`.
    package let type: String
    package let meaning: String
    /// The members other than `type`. A message with several forms has a list for each form.
    let forms: [[ShapeField]]
    /// Examples of the complete message, as JSON text.
    package let examples: [String]
    /// What a client must have requested, so that it may send the message; nil: nothing.
    let need: FeatureNeed?

    init(
        _ sender: Speaker, _ type: String, _ meaning: String, _ fields: [ShapeField],
        examples: [String], need: FeatureNeed? = nil
    ) {
        self.init(sender, type, meaning, forms: [fields], examples: examples, need: need)
    }

    init(
        _ sender: Speaker, _ type: String, _ meaning: String, forms: [[ShapeField]],
        examples: [String], need: FeatureNeed? = nil
    ) {
        self.sender = sender
        self.type = type
        self.meaning = meaning
        self.forms = forms
        self.examples = examples
        self.need = need
    }

    /// The unique name of the message among the definitions.
    package var name: String { "\(sender.rawValue).\(type)" }

    var shape: Shape {
        let tag = ShapeField.required(sender.tag, .constant(.string(type)))
        return forms.count == 1 ? .object([tag] + forms[0]) : .forms(forms.map { [tag] + $0 })
    }

    /// The names of the members in all forms.
    package var fieldNames: Set<String> { Set(forms.joined().map(\.name)) }

    /// The names of the members that are required in every form.
    package var requiredNames: Set<String> {
        forms.map { Set($0.filter(\.isRequired).map(\.name)) }
            .reduce(fieldNames) { $0.intersection($1) }
    }
}

/// The party that sends a message. The channel of a message follows from its sender.
package enum Speaker: String, CaseIterable, Sendable {
    /// A client in a session.
    case client
    /// The daemon in a session.
    case daemon
    /// A worker in the line protocol.
    case worker
    /// The daemon when it sends to a worker.
    case broker
    /// The daemon when it sends to watchers of sessions.
    case watch

    /// The member that contains the type of the message.
    package var tag: String { self == .watch ? "event" : "type" }

    /// Whether a frame may be a batch. Frames in sessions and frames to watchers may be batches.
    /// Frames from and to workers contain one message each.
    package var mayBatch: Bool { self != .worker && self != .broker }

    /// Whether the daemon sends the message.
    package var isDaemon: Bool {
        switch self {
        case .daemon, .broker, .watch: true
        case .client, .worker: false
        }
    }
}
