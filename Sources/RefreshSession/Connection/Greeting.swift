import RefreshProtocol

/// A `hello` that waits for a decision, and the frames that the client has sent after it.
final class Greeting {
    /// The `hello` without its token. The token is not stored.
    let hello: Hello
    /// Whether the client is authenticated.
    var isAuthenticated = false
    /// The `hello` as received.
    private(set) var text: [UInt8] = []
    /// The frames that wait until the `hello` is answered, in order.
    private(set) var held: [[UInt8]] = []
    private var heldBytes = 0

    init(_ hello: Hello) { self.hello = hello }

    /// Records the `hello` as received, and the rest of its frame. The rest is an array of
    /// messages, and can be empty.
    func record(_ text: [UInt8], rest: [UInt8]) {
        self.text = text
        hold(rest)
    }

    /// Adds a frame to `held`. Returns false, and does not add the frame, if more than `most` bytes
    /// would be held.
    @discardableResult
    func hold(_ frame: [UInt8], most: Int = .max) -> Bool {
        heldBytes += frame.count
        guard heldBytes <= most else { return false }
        held.append(frame)
        return true
    }

    /// The `hello` and the held frames, with which the client resumes a session.
    var handshake: ResumeHandshake { ResumeHandshake(hello, text: text, held: held) }
}
