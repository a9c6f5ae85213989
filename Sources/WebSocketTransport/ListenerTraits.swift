/// What has to be known of a listener when a connection comes.
struct ListenerTraits: OptionSet {
    let rawValue: UInt

    /// TLS is spoken.
    static let tls = ListenerTraits(rawValue: 1)
    /// Other loops accept from the same queue.
    static let shared = ListenerTraits(rawValue: 2)

    /// Connections may take the files that others leave free.
    static let reserve = ListenerTraits(rawValue: 4)

    init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    init(of socket: ListeningSocket) {
        self = []
        if socket.speaksTLS { insert(.tls) }
        if socket.isShared { insert(.shared) }
        if socket.hasReserve { insert(.reserve) }
    }
}
