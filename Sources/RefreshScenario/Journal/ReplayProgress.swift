/// How far a journal is said again over a socket, for somebody who waits.
package struct ReplayProgress: Hashable, Sendable {
    /// Frames of the client that were sent, and that there are.
    package var sent: Int
    package var frames: Int
    /// Seconds since the connection stood.
    package var seconds: Double

    package var text: String {
        "\(sent) of \(frames) \(frames == 1 ? "frame" : "frames"), \(Int(seconds)) s"
    }
}
