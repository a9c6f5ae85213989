/// The drawing capability of a client. Source: docs/protocol.md, "hello".
package enum FramesMode: String, CaseIterable, Sendable, Codable {
    /// The client draws its own spinner from five numbers.
    case plain
    /// The client draws layers from the properties that it receives.
    case stream
    /// The client plays whole programmes according to the control law.
    case local
}
