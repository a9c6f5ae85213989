internal import CNATS
internal import Glibc

/// The thread of a connection to the bus. It connects, replaces lost connections for ever, and
/// makes all calls of libnats that may wait.
///
/// Sendability is unchecked, because the object is created on one thread and then used only on its
/// own thread. `queue` is synchronized.
final class BusLoop: @unchecked Sendable {
    private let servers: [BusServer]
    private let queue: BusQueue
    private var connector: NATSConnector
    private var subscriptions: [BusSubscription] = []
    /// The reason of the last failed attempt, if no attempt has succeeded since.
    private var lastReason: String?

    /// The pause between two attempts to connect, in milliseconds. A random time up to this length
    /// is added, so that not all nodes come at once. If a connection is lost that existed for
    /// longer than `shortLifeMs`, only the random time passes.
    private static let pauseMs: Int64 = 250
    private static let shortLifeMs: Int64 = 1000
    /// The pause after a server has refused the credentials.
    private static let unauthorizedPauseMs: Int64 = 2000

    init(options: BusOptions, servers: [BusServer], queue: BusQueue, service: BusService) {
        self.servers = servers
        self.queue = queue
        connector = NATSConnector(options, queue: queue, service: service)
    }

    /// Starts the thread. Returns false if the system cannot create one.
    func start() -> Bool {
        var thread: pthread_t = 0
        let loop = unsafe Unmanaged.passRetained(self)
        guard unsafe pthread_create(&thread, nil, busLoopMain, loop.toOpaque()) == 0 else {
            unsafe loop.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    fileprivate func run() {
        unsafe cnats_name_thread("bus")
        var previous = sigset_t()
        NATSLibrary.blockSignals(&previous)
        queue.waitForService()
        while !queue.mustClose {
            switch connect() {
            case .success(let link): serve(link)
            case .failure(let failure): handle(failure)
            }
        }
        queue.end()
        connector.waitForEnd()
    }

    /// Tries each server once, in a random order.
    private func connect() -> Result<NATSLink, NATSFailure> {
        var failures: [Int: NATSFailure] = [:]
        for (number, server) in servers.enumerated().shuffled() where !queue.mustClose {
            do throws(NATSFailure) {
                return .success(try connector.connect(to: server))
            } catch {
                failures[number] = error
            }
        }
        let ordered = failures.sorted { $0.key < $1.key }.map(\.value)
        return .failure(NATSFailure(ordered))
    }

    /// Uses an established connection until it is lost or the thread must end.
    private func serve(_ link: NATSLink) {
        lastReason = nil
        let startMs = MonotonicClock.nowMs
        for subscription in subscriptions { link.subscribe(subscription) }
        var liveness = NATSLiveness(at: startMs)
        var isAnnounced = false
        while true {
            // Before the announcement there are no messages, but there may be subscriptions.
            let deadlineMs = isAnnounced ? liveness.nextPingMs : startMs
            let (commands, isClosing) = queue.receive(untilMs: deadlineMs)
            var lossReason: String?
            for command in commands {
                switch command {
                case .subscribe(let subscription):
                    subscriptions.append(subscription)
                    link.subscribe(subscription)
                case .lost(link.number, let reason): lossReason = lossReason ?? reason
                case .lost: break
                }
            }
            if let lossReason, isAnnounced { queue.report(.disconnected(reason: lossReason)) }
            if lossReason != nil || isClosing {
                link.close(flushes: lossReason == nil)
                break
            }
            if !isAnnounced {
                link.announce()
                isAnnounced = true
            } else if MonotonicClock.nowMs >= liveness.nextPingMs {
                link.ping(&liveness)
            }
        }
        // A connection that is lost at once is not replaced at once.
        let isShort = MonotonicClock.nowMs - startMs < Self.shortLifeMs
        pause(forMs: (isShort ? Self.pauseMs : 0) + .random(in: 0..<Self.pauseMs))
    }

    /// Reports a failure if it is new, and waits before the next attempt.
    private func handle(_ failure: NATSFailure) {
        if failure.reason != lastReason, !queue.mustClose {
            lastReason = failure.reason
            queue.report(.failed(reason: failure.reason))
        }
        let pauseMs = failure.isUnauthorized ? Self.unauthorizedPauseMs : Self.pauseMs
        pause(forMs: pauseMs + .random(in: 0..<pauseMs))
    }

    /// Waits, unless the thread must end. There is no connection.
    private func pause(forMs lengthMs: Int64) {
        let endMs = MonotonicClock.nowMs + lengthMs
        while MonotonicClock.nowMs < endMs {
            let (commands, isClosing) = queue.receive(untilMs: endMs)
            for case .subscribe(let added) in commands { subscriptions.append(added) }
            if isClosing { return }
        }
    }
}

private func busLoopMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument = unsafe argument else { return nil }
    unsafe Unmanaged<BusLoop>.fromOpaque(argument).takeRetainedValue().run()
    return nil
}
