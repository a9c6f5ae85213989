/// What a client can draw by itself. Source: docs/protocol.md, "hello".
package enum FramesMode: String, CaseIterable, Sendable, Codable {
    /// A spinner of its own, from five numbers.
    case plain
    /// Layers, from the properties it is sent.
    case stream
    /// Whole programmes, by the control law.
    case local
}
