import RefreshBroker
import RefreshProtocol

@testable import RefreshServer
@testable import RefreshSession

/// One process: hosts, each on its own loop, the directory that connects them, and a broker.
final class SmallDaemon {
    let directory = LoopDirectory()
    let loops: [WaitingLoop]
    let loads: WantedLoads
    let metrics: [SessionMetrics]
    private(set) var hosts: [SessionHost] = []

    init(
        loops count: Int, limits: Limits, seal: StoredSnapshots?, causes: PostingCauses,
        draw: @escaping () -> UInt64
    ) {
        loops = (0..<count).map { _ in WaitingLoop(causes) }
        metrics = (0..<count).map { _ in SessionMetrics() }
        loads = WantedLoads(directory)
        for index in 0..<count {
            let host = SessionHost(
                loop: loops[index], index: UInt16(index),
                services: SessionServices(
                    limits: limits,
                    feeds: [FeedDescription(name: "list", style: .page, first: 1, size: 2)],
                    loads: loads, metrics: metrics[index], seal: seal),
                directory: directory, draw: draw)
            hosts.append(host)
            directory.register(host, index: UInt16(index))
        }
    }

    deinit { directory.close() }

    /// The sessions of all hosts.
    var sessions: [Session] { hosts.flatMap(\.sessions.elements) }

    var isIdle: Bool { loops.allSatisfy(\.jobs.isEmpty) }

    /// Runs all posted jobs, and the jobs that these jobs post.
    func settle() {
        while !isIdle {
            for loop in loops { loop.runFirst() }
        }
    }

    /// Fires the timers that are due. Jobs in the mailboxes stay there.
    func wake(at now: Instant) {
        for (loop, host) in zip(loops, hosts) {
            while loop.takeWake() { host.wakeupFired(at: now) }
        }
    }

    /// The resources that the daemon has not released, although all clients have left.
    var leftovers: [String] {
        var sum = metrics[0].snapshot
        for metrics in metrics.dropFirst() { sum += metrics.snapshot }
        var found: [String] = []
        if !sessions.isEmpty { found.append("\(sessions.count) sessions are in the tables") }
        if sum.sessions != 0 { found.append("\(sum.sessions) sessions are counted") }
        if sum.views != 0 { found.append("\(sum.views) views are counted") }
        if sum.detached != 0 { found.append("\(sum.detached) sessions are counted as detached") }
        if directory.sessions.waitingBytes != 0 {
            found.append("the queue of detached sessions is not empty")
        }
        if !loads.running.isEmpty { found.append("\(loads.running.count) loads run") }
        return found
    }
}
