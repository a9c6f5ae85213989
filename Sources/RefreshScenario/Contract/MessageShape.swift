import RefreshProtocol

/// One message of the protocol: who says it where, what it means, what it carries, and how it
/// looks.
package struct MessageShape: Sendable {
    /// Who says it.
    package let speaker: Speaker
    /// Its `type`, or `event`.
    package let type: String
    package let meaning: String
    /// The members beside `type`; of a message that comes in several forms the members of each.
    let forms: [[ShapeField]]
    /// Whole messages, as JSON text.
    package let examples: [String]

    init(
        _ speaker: Speaker, _ type: String, _ meaning: String, _ fields: [ShapeField],
        examples: [String]
    ) {
        self.init(speaker, type, meaning, forms: [fields], examples: examples)
    }

    init(
        _ speaker: Speaker, _ type: String, _ meaning: String, forms: [[ShapeField]],
        examples: [String]
    ) {
        self.speaker = speaker
        self.type = type
        self.meaning = meaning
        self.forms = forms
        self.examples = examples
    }

    /// Its name among the definitions: unique.
    package var name: String { "\(speaker.rawValue).\(type)" }

    var shape: Shape {
        let tag = ShapeField.required(speaker.tag, .constant(.string(type)))
        return forms.count == 1 ? .object([tag] + forms[0]) : .forms(forms.map { [tag] + $0 })
    }

    /// The names of all its members.
    package var fieldNames: Set<String> { Set(forms.joined().map(\.name)) }

    /// The names of the members that every form of it has.
    package var requiredNames: Set<String> {
        forms.map { Set($0.filter(\.isRequired).map(\.name)) }
            .reduce(fieldNames) { $0.intersection($1) }
    }
}

/// Who says a message, and on which channel.
package enum Speaker: String, CaseIterable, Sendable {
    /// A client, in a session.
    case client
    /// The daemon, in a session.
    case daemon
    /// A worker, in the line protocol.
    case worker
    /// The daemon, to a worker.
    case broker
    /// The daemon, to those who watch sessions.
    case watch

    /// The member that says which message it is.
    package var tag: String { self == .watch ? "event" : "type" }

    /// Whether a frame of theirs may be a batch: in sessions, and to watchers. Workers say one
    /// message a frame, and hear one.
    package var mayBatch: Bool { self != .worker && self != .broker }

    /// Whether the daemon says it.
    package var isDaemon: Bool {
        switch self {
        case .daemon, .broker, .watch: true
        case .client, .worker: false
        }
    }
}
