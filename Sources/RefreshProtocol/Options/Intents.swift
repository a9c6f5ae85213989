/// A set of intents. Source: docs/protocol.md, "Policies".
package struct Intents: OptionSet, Hashable, Sendable, Codable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package init(_ intents: some Sequence<Intent>) {
        self = intents.reduce(into: []) { $0.formUnion(Intents($1)) }
    }

    package init(_ intent: Intent) {
        switch intent {
        case .finger: self = .finger
        case .fling: self = .fling
        case .wheel: self = .wheel
        case .key: self = .key
        case .accessibility: self = .accessibility
        case .code: self = .code
        case .retry: self = .retry
        }
    }

    // These are computed properties, because a stored static property checks at each access whether
    // it is initialized.
    package static var finger: Intents { Intents(rawValue: 1) }
    package static var fling: Intents { Intents(rawValue: 2) }
    package static var wheel: Intents { Intents(rawValue: 4) }
    package static var key: Intents { Intents(rawValue: 8) }
    package static var accessibility: Intents { Intents(rawValue: 16) }
    package static var code: Intents { Intents(rawValue: 32) }
    package static var retry: Intents { Intents(rawValue: 64) }
    package static var all: Intents { Intents(rawValue: 127) }

    // Compares the bits itself, because the generic function `contains` is called through a witness
    // table.
    @inline(__always)
    package func allows(_ intent: Intents) -> Bool { rawValue & intent.rawValue == intent.rawValue }

    package var members: [Intent] { Intent.allCases.filter { contains(Intents($0)) } }
}

/// The kind of input that caused a movement or a request. Source: docs/protocol.md, "Policies".
public enum Intent: String, CaseIterable, WireNamed, Sendable, Codable {
    /// A finger on the list, or the release of the list by the finger.
    case finger
    /// The inertia after the finger has left the list.
    case fling
    case wheel
    case key
    case accessibility
    /// The app's own code.
    case code
    case retry
}
