internal import Glibc

/// Connects to servers, and bounds the time of each attempt.
struct NATSConnector {
    private let options: BusOptions
    private let queue: BusQueue
    private let service: BusService
    private var settings: [BusServer: (settings: NATSSettings, readAtMs: Int64)] = [:]
    /// The attempts that were abandoned, and may not have ended. There is at most one for each
    /// server.
    private var abandoned: [BusServer: NATSAttempt] = [:]

    /// The time after which the settings, with the files for TLS, are read again. They are not read
    /// for each attempt, because this may take 50 ms.
    private static let settingsAgeMaxMs: Int64 = 60_000

    /// The time that is added to the connect timeout, in milliseconds. libnats itself reports most
    /// failures within the connect timeout.
    private static let abandonMs: Int64 = 1000

    /// The time between two interruptions of an attempt, in milliseconds.
    private static let interruptionMs: UInt32 = 50

    init(_ options: BusOptions, queue: BusQueue, service: BusService) {
        self.options = options
        self.queue = queue
        self.service = service
    }

    /// Connects to a server. An attempt that takes too long is abandoned. Until it has ended, no
    /// other one is made.
    mutating func connect(to server: BusServer) throws(NATSFailure) -> NATSLink {
        if let earlier = abandoned[server] {
            guard earlier.hasEnded else {
                earlier.interrupt()
                throw Self.timeout(server)
            }
            abandoned[server] = nil
        }
        let attempt = try NATSAttempt(
            to: server, settings: try currentSettings(for: server), queue: queue, service: service)
        let timeoutMs = Int64(options.connectTimeoutMs) + Self.abandonMs
        guard let result = unsafe attempt.run(untilMs: MonotonicClock.nowMs + timeoutMs) else {
            abandoned[server] = attempt
            throw Self.timeout(server)
        }
        return unsafe NATSLink(
            try result.get(), attempt.number, to: server, queue: queue, service: service)
    }

    /// Waits until no attempt is left. An interruption has no effect if the attempt does not wait
    /// yet, or looks up the name of a server.
    func waitForEnd() {
        while !abandoned.values.allSatisfy(\.hasEnded) {
            abandoned.values.forEach { $0.interrupt() }
            usleep(Self.interruptionMs * 1000)
        }
    }

    private static func timeout(_ server: BusServer) -> NATSFailure {
        NATSFailure("\(server.url): The server does not complete the connection in time.")
    }

    private mutating func currentSettings(for server: BusServer) throws(NATSFailure) -> NATSSettings
    {
        let nowMs = MonotonicClock.nowMs
        if let read = settings[server], nowMs - read.readAtMs < Self.settingsAgeMaxMs {
            return read.settings
        }
        let current = try NATSSettings(options, server: server)
        settings[server] = (current, nowMs)
        return current
    }
}
