package import RefreshProtocol

/// The handshake with which a client resumes its session: all messages that the client has sent so
/// far on its new connection.
package struct ResumeHandshake: Hashable, Sendable {
    package var hello: Hello
    /// The `hello` object as received.
    package var text: [UInt8]
    /// The other messages in the frame of `hello`, as one JSON array, and the frames after that
    /// frame.
    package var held: [[UInt8]]

    package init(_ hello: Hello, text: [UInt8], held: [[UInt8]] = []) {
        self.hello = hello
        self.text = text
        self.held = held
    }
}
