package import WebSocketTransport

/// What load is made, and on whom.
package struct LoadPlan: Sendable {
    /// When a connection says the next thing.
    package enum Pace: Hashable, Sendable {
        /// As the hand did, `speed` times as fast, with a pause of random length between gestures,
        /// so many microseconds in the mean.
        case recorded(speed: Double, pause: Int64)
        /// So many frames a second of each connection, evenly.
        case rate(Double)
        /// As soon as the last was answered: a closed loop.
        case closed
    }

    /// Somebody who is loaded.
    package struct Target: Hashable, Sendable {
        package var url: String
        package var dial: DialTarget
        /// The process that serves there, whose use of the machine is measured.
        package var process: Int32?

        /// Nil when it is no URL of a WebSocket.
        package init?(url: String, process: Int32? = nil) {
            guard let dial = DialTarget(url: url) else { return nil }
            self.url = url
            self.dial = dial
            self.process = process
        }
    }

    /// One, or two that take turns.
    package var targets: [Target]
    /// At least one.
    package var gestures: [LoadGesture]
    /// Of each target.
    package var connections = 100
    package var threads = 1
    package var pace = Pace.recorded(speed: 1, pause: 2_000_000)
    /// Microseconds over which connections are opened.
    package var ramp: Int64 = 100_000
    /// Microseconds from when all are greeted until measuring begins.
    package var warmUp: Int64 = 1_000_000
    /// Microseconds for which is measured.
    package var duration: Int64 = 10_000_000
    /// Microseconds behind the measured time in which what was due in it is still sent, where the
    /// load itself is late, and is answered; nothing else is sent then.
    package var patience: Int64 = 5_000_000
    /// Chooses gestures, pauses and when each connection begins.
    package var seed: UInt64 = 1
    /// Whose certificates are believed with `wss`.
    package var authorities: TLSAuthorities?

    package init(targets: [Target], gestures: [LoadGesture]) {
        self.targets = targets
        self.gestures = gestures
    }
}
