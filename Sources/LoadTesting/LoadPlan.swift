package import WebSocketTransport

/// The plan of a load test: its targets, and the connections and gestures for each target.
package struct LoadPlan: Sendable {
    /// The rule for the time at which a connection sends its next frame.
    package enum Pace: Hashable, Sendable {
        /// The recorded pace, multiplied by `speed`, with a random pause between gestures. `pause`
        /// is the mean pause in microseconds.
        case recorded(speed: Double, pause: Int64)
        /// The given number of frames per second on each connection, evenly spaced.
        case rate(Double)
        /// The next frame is sent as soon as the previous frame was answered (a closed loop).
        case closed
    }

    /// A server, or several nodes of a cluster, that the load test measures.
    package struct Target: Hashable, Sendable {
        /// The URL. Several URLs are separated by spaces.
        package var url: String
        /// The addresses, at least one. The clients are spread over them, and a client that has
        /// lost its connection dials the next one.
        package var addresses: [DialTarget]
        /// The id of the server process, whose resource usage is measured.
        package var process: Int32?

        /// Creates a target with one address; nil if `url` is not a WebSocket URL.
        package init?(url: String, process: Int32? = nil) {
            self.init(urls: [url], process: process)
        }

        /// Creates a target; nil if there is no URL, or one of them is not a WebSocket URL.
        package init?(urls: [String], process: Int32? = nil) {
            url = urls.joined(separator: " ")
            addresses = urls.compactMap { DialTarget(url: $0) }
            self.process = process
            guard !urls.isEmpty, addresses.count == urls.count else { return nil }
        }
    }

    /// One target, or two targets that are loaded at the same time.
    package var targets: [Target]
    /// The gestures, at least one.
    package var gestures: [LoadGesture]
    /// The number of connections to each target.
    package var connections = 100
    package var threads = 1
    package var pace = Pace.recorded(speed: 1, pause: 2_000_000)
    /// The time over which connections are opened, in microseconds.
    package var ramp: Int64 = 100_000
    /// The time from the last `welcome` to the start of the measurement, in microseconds.
    package var warmUp: Int64 = 1_000_000
    /// The duration of the measurement, in microseconds.
    package var duration: Int64 = 10_000_000
    /// The maximum time from the end of `ramp` to the last `welcome`, in microseconds.
    package var greetingTimeout: Int64 = 30_000_000
    /// The time in which a `pong` must arrive if clients connect again, in microseconds. Source:
    /// docs/coming-back.md, "Reconnect and refresh".
    package var pongTimeout: Int64 = 5_000_000
    /// The maximum time after the measurement in which late frames are sent and outstanding answers
    /// are awaited, in microseconds. Only frames that were due during the measurement are still
    /// sent.
    package var endingTimeout: Int64 = 5_000_000
    /// The seed for the choice of gestures, pauses and start times.
    package var seed: UInt64 = 1
    /// Whether a client that has lost its connection connects again and resumes its session.
    package var reconnects = false
    /// The trusted certificate authorities for `wss` URLs.
    package var authorities: TLSAuthorities?

    package init(targets: [Target], gestures: [LoadGesture]) {
        self.targets = targets
        self.gestures = gestures
    }
}
