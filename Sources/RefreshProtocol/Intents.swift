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

    package static let finger = Intents(rawValue: 1)
    package static let fling = Intents(rawValue: 2)
    package static let wheel = Intents(rawValue: 4)
    package static let key = Intents(rawValue: 8)
    package static let accessibility = Intents(rawValue: 16)
    package static let code = Intents(rawValue: 32)
    package static let retry = Intents(rawValue: 64)
    package static let all: Intents = [
        .finger, .fling, .wheel, .key, .accessibility, .code, .retry,
    ]

    package var members: [Intent] { Intent.allCases.filter { contains(Intents($0)) } }
}
