/// The properties of a listener that are needed when a connection arrives.
struct ListenerTraits: OptionSet {
    let rawValue: UInt

    /// TLS is required.
    static let tls = ListenerTraits(rawValue: 1)
    /// Other loops accept from the same queue.
    static let shared = ListenerTraits(rawValue: 2)

    /// Connections of the listener may use the descriptors above
    /// `LoopConfiguration.clientFilesMax`.
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
