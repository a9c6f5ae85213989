@testable import RefreshServer

/// What holds whatever somebody says first who may come back to a session.
enum HelloProperties {
    static func check(_ input: [UInt8]) {
        // Where the session waits for its client, and where it is not: then a snapshot is asked
        // for.
        for waits in [true, false] {
            let world = ReceptionWorld()
            let (first, line) = world.connect()
            if waits {
                world.send(Array(Self.opening.utf8), by: first, on: line)
                require(line.frames.first?.contains(ReceptionWorld.token) == true, "a welcome")
            }
            world.close(first)
            let (session, channel) = world.connect()
            world.send(input, by: session, on: channel)
            world.goOn()
            world.send(Array(#"{"type":"ping","t":1}"#.utf8), by: session, on: channel)
            require(
                channel.isClosed || !channel.frames.isEmpty,
                "who says something is answered")
            world.close(session)
            world.goOn()
        }
    }

    /// What the session said that waits.
    static let opening = """
        [{"type":"hello","protocol":1,"frames":"local","snapshots":true},
         {"type":"attach","seq":1,"view":"list","profile":"default","feed":"songs",
          "geometry":{"viewport":{"width":390,"height":800},"content":{"width":390,"height":4000}}},
         {"type":"refresh","seq":2,"view":"list"}]
        """
}
