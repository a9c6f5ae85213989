/// How much its user wants to see moving. Source: docs/protocol.md, "hello".
package enum MotionPreference: String, CaseIterable, Sendable, Codable {
    case full, reduced
}
