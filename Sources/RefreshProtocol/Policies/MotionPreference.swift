/// The amount of motion that the client's user wants. Source: docs/protocol.md, "hello".
package enum MotionPreference: String, CaseIterable, Sendable, Codable {
    case full, reduced
}
