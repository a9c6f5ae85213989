/// The progress of a replay over a socket, for display to a waiting user.
package struct ReplayProgress: Hashable, Sendable {
    /// The number of client frames sent, and their total.
    package var sent: Int
    package var frames: Int
    /// Seconds since the connection was established.
    package var seconds: Double

    package var text: String {
        "\(sent) of \(frames) \(frames == 1 ? "frame" : "frames"), \(Int(seconds)) s"
    }
}
