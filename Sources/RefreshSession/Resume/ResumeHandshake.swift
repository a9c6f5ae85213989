package import RefreshProtocol

/// The handshake with which a client resumes its session: all messages that it has sent so far.
package struct ResumeHandshake: Hashable, Sendable {
    package var hello: Hello
    /// The `hello` object as received.
    package var text: [UInt8]
    /// The rest of the frame of `hello`, as an array of messages, and the frames after it.
    package var held: [[UInt8]]

    package init(_ hello: Hello, text: [UInt8], held: [[UInt8]] = []) {
        self.hello = hello
        self.text = text
        self.held = held
    }
}
