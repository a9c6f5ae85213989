import RefreshProtocol

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// The properties of every first frame of a client. The frame may resume a session.
enum HelloProperties {
    static func check(_ input: [UInt8]) {
        // If `waits` is true, the daemon has a session that waits for its client. If `waits` is
        // false, the daemon has no session, so the client can resume only by a snapshot.
        for waits in [true, false] {
            let sentTexts = sentTexts(to: input, waits: waits)
            require(
                self.sentTexts(to: input, waits: waits) == sentTexts,
                "the same frame causes the same messages twice")
        }
    }

    /// Returns all messages that the daemon sends after this first frame.
    private static func sentTexts(to input: [UInt8], waits: Bool) -> [String] {
        let world = ReceptionWorld()
        let (first, line) = world.connect()
        if waits {
            world.send(Array(Self.opening.utf8), by: first, on: line)
            require(
                line.frames.first?.contains(ReceptionWorld.token) == true,
                "the session is opened with a `welcome`")
        }
        world.close(first)
        let (session, channel) = world.connect()
        world.send(input, by: session, on: channel)
        // The check takes place before any time passes, because the `hello` timeout would close the
        // connection.
        require(
            channel.isClosed || !channel.frames.isEmpty || isSilentInput(input),
            "the daemon answers a client whose frame requires an answer")
        world.goOn()
        world.send(Array(#"{"type":"ping","t":1}"#.utf8), by: session, on: channel)
        require(
            channel.isClosed || !channel.frames.isEmpty,
            "the daemon answers or closes the connection in the end")
        world.close(session)
        world.goOn()
        return line.sentTexts + channel.sentTexts
    }

    /// Whether the frame is a batch without messages.
    private static func isSilentInput(_ input: [UInt8]) -> Bool {
        var decoder = MessageDecoder(limits: Limits())
        var position = FramePosition()
        if case .end = decoder.next(in: input.span, at: &position) { return true }
        return false
    }

    /// The first frame of the client whose session then waits.
    static let opening = """
        [{"type":"hello","protocol":1,"frames":"local","snapshots":true},
         {"type":"attach","seq":1,"view":"list","profile":"default","feed":"songs",
          "geometry":{"viewport":{"width":390,"height":800},"content":{"width":390,"height":4000}}},
         {"type":"refresh","seq":2,"view":"list"}]
        """
}
