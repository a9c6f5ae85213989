import RefreshBroker
import RefreshCluster
import RefreshProtocol
import SessionBench

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// The sessions of a daemon with several loops, without threads, sockets and clocks.
final class HostFixture {
    let directory: LoopDirectory
    let loops: [StillLoop]
    let dispatcher = SessionTester.RecordingDispatcher()
    let metrics: [SessionMetrics]
    private(set) var hosts: [SessionHost] = []
    var now = Instant(milliseconds: 1000)
    private var bits: UInt64

    /// The feed of each fixture for which the test gives no feeds.
    static let songs = FeedDescription(
        name: "songs", parameters: ["q"], forward: ["accept-language"], style: .page, size: 10,
        itemKey: JSONPointer("/id"))

    /// `authenticationService`, `seal` and `memory` belong to the whole daemon. `journal` returns
    /// the journal of each session. `drawn` is the number of random values to skip, so that two
    /// fixtures do not draw the same tokens.
    init(
        loops count: Int = 2, drawn: UInt64 = 0, limits: Limits = Limits(),
        feeds: [FeedDescription] = [songs],
        isClustered: Bool = false,
        authenticationService: AuthenticationService? = nil,
        seal: (any SnapshotSealing)? = nil,
        fence: (any SessionFencing)? = nil,
        memory: (LoopDirectory) -> ConnectionLimiter? = { _ in nil },
        journal: @escaping (String) -> (any JournalSink)? = { _ in nil }
    ) {
        bits = drawn
        directory = LoopDirectory(seed: 0, isClustered: isClustered || fence != nil, fence: fence)
        loops = (0..<count).map { _ in StillLoop() }
        metrics = (0..<count).map { _ in
            SessionMetrics(feeds: [MeasuredFeed(name: "songs", kind: "script")])
        }
        let connectionLimiter = memory(directory)
        for index in 0..<count {
            let services = SessionServices(
                limits: limits, feeds: feeds, loads: dispatcher, metrics: metrics[index],
                seal: seal)
            services.itemHash = SipHash(key: 1, 2)
            let host = SessionHost(
                loop: loops[index], index: UInt16(index), services: services,
                directory: directory, authenticationService: authenticationService,
                connectionLimiter: connectionLimiter, log: .silent,
                draw: { [unowned self] in
                    bits += 1
                    return bits &* 0x9E37_79B9_7F4A_7C15
                }, journals: nil, journal: journal)
            hosts.append(host)
            directory.register(host, index: UInt16(index))
        }
    }

    deinit { directory.close() }

    /// The sums of the counts of all loops.
    var total: SessionCounts {
        metrics.dropFirst().reduce(into: metrics[0].snapshot) { $0 += $1.snapshot }
    }

    /// Connects a client to this loop.
    func connect(to loop: Int = 0, from address: String? = nil) -> HostClient {
        HostClient(self, hosts[loop], from: address)
    }

    /// Runs all posted jobs, and the jobs that those jobs post.
    func settle() {
        while loops.contains(where: { !$0.isIdle }) {
            for loop in loops { loop.runOne(at: now) }
        }
    }

    /// Advances the time, and handles all deadlines on the way.
    func pass(milliseconds: Double) {
        let end = now.advanced(byMilliseconds: milliseconds)
        settle()
        while let next = loops.compactMap(\.wakeAt).min(), next <= end {
            now = max(now, next)
            for (loop, host) in zip(loops, hosts) where loop.consumeWakeup(at: now) {
                host.wakeupFired(at: now)
            }
            settle()
        }
        now = end
    }

    /// Reports an event of a load, as the broker does.
    func report(_ event: LoadEvent, of ticket: LoadTicket) {
        directory.deliver(event, to: [ticket])
    }

    /// Answers the last started load with this number of items, as the broker does.
    func answerLast(_ count: Int = 3) {
        guard let (ticket, _) = dispatcher.started.last else { return }
        report(.ended(.page(Self.page(count))), of: ticket)
        settle()
    }

    static func page(_ count: Int, first: Int = 0, more: Bool = true) -> Page {
        let items = (first..<first + count).map { #"{"id":\#($0)}"# }.joined(separator: ",")
        return Page(items: Array("[\(items)]".utf8), count: count, more: more)
    }
}
