import Foundation
import Glibc
import Workbench

/// One client that refreshes and loads more, while its daemon may be killed and started again.
final class KillRun {
    /// What is to happen, and when.
    struct Plan {
        var seed: UInt64
        /// Nil: nobody is killed.
        var moment: KillMoment?
        /// So much later.
        var microseconds: UInt32
        /// Whether the daemon tells items apart by a key: then it leaves out what would be doubled.
        var hasItemKey: Bool
        /// When the daemon that was started again is killed; nil: it is not.
        var again: KillAgain?
    }

    /// What became of it.
    struct Outcome {
        var seen: ThinClient.Seen
        var returns: [String]
        var errors: [String]
        var sessions: Set<String>
        var calls: [CountingBackend.Call]
        /// Where it stood still; nil: it came to its end.
        var stuck: String?
        /// At which moment its daemon was killed; nil: it was not.
        var killedAt: KillMoment?
        /// Whether the client had a snapshot when its daemon was killed.
        var hadSnapshot: Bool
        /// Whether the daemon that was started again was killed as well.
        var isKilledAgain: Bool
    }

    private let plan: Plan
    private let configuration: TemporaryFile
    private let line: CountingBackend.Line
    private let client: ThinClient
    private var daemon: RunningDaemon?
    private var killedAt: KillMoment?
    private var hadSnapshot = false
    private var isKilledAgain = false
    /// Calls that the backend had received when the daemon was killed first.
    private var callsBefore = 0
    private let deadline = Date(timeIntervalSinceNow: Double(60 * patience))

    init(_ plan: Plan, backend: CountingBackend, port: UInt16) throws {
        self.plan = plan
        configuration = try TemporaryFile("refreshd.yaml")
        let (url, line) = backend.line(of: "run\(plan.seed)")
        self.line = line
        client = ThinClient(port: port)
        let itemKey = plan.hasItemKey ? ", itemKey: /id" : ""
        try configuration.write(
            """
            listen: 127.0.0.1:\(port)
            loops: 1
            resume: { stateFolder: state }
            log: { level: warning }
            feeds:
              songs: { backend: http, url: "\(url)", paging: page, size: \(CountingBackend.pageSize)\(itemKey) }
            """)
    }

    func run() throws -> Outcome {
        try start()
        var stuck: String?
        do {
            try pull()
            try loadMore()
        } catch let stop as Stuck {
            stuck = "\(stop.place): \(client.seen), \(daemon?.log ?? "")"
        }
        return Outcome(
            seen: client.seen, returns: client.returns, errors: client.errors,
            sessions: client.sessions, calls: line.begun, stuck: stuck, killedAt: killedAt,
            hadSnapshot: hadSnapshot, isKilledAgain: isKilledAgain)
    }

    // MARK: What the user does

    private func pull() throws {
        try listen(until: "attached") { _ in client.isGreeted }
        try reach(.greeted)
        client.scroll(to: 0, phase: "began")
        client.scroll(to: -60, phase: "dragging")
        try reach(.pulling)
        client.scroll(to: -140, phase: "dragging")
        client.scroll(to: -140, phase: "ended")
        try reach(.released)
        try listen(until: "refreshed") { types in
            try note(types, told: .refreshTold)
            if line.begun.contains(where: { $0.page == 1 }) { try reach(.refreshCalled) }
            if line.answered > 0 { try reach(.refreshAnswered) }
            return client.seen.items.count == CountingBackend.pageSize
        }
        try reach(.refreshed)
        try listen(until: "at rest") { _ in
            if client.seen.top == "succeeded" { try reach(.refreshHeld) }
            if client.seen.top == "finishing" { try reach(.refreshClosing) }
            return client.seen.top == "idle" && client.seen.insetTop == 0
        }
        try reach(.resting)
    }

    private func loadMore() throws {
        client.setContent(height: 3600)
        client.scroll(to: 0, phase: "began")
        client.scroll(to: 1500, phase: "dragging")
        try reach(.approaching)
        client.scroll(to: 2700, phase: "dragging")
        client.scroll(to: 2790, phase: "dragging")
        client.scroll(to: 2790, phase: "ended")
        try reach(.moreAsked)
        try listen(until: "more") { types in
            try note(types, told: .moreTold)
            if line.begun.contains(where: { $0.page == 2 }) {
                try reach(.moreCalled)
                if line.answered > 1 { try reach(.moreAnswered) }
            }
            return client.seen.items.count == 2 * CountingBackend.pageSize
        }
        try reach(.more)
        client.setContent(height: 7200)
        client.scroll(to: 2790, phase: "idle")
        try reach(.moreClosing)
        try listen(until: "the end") { _ in
            client.isGreeted && client.seen.bottom == "idle" && client.seen.insetBottom == 0
                && client.seen.top == "idle" && client.seen.insetTop == 0
        }
        // Whatever was too much would come now.
        let quiet = Date(timeIntervalSinceNow: 0.03)
        while quiet > Date() { _ = client.listen(within: 10) }
    }

    private func note(_ types: [String], told moment: KillMoment) throws {
        if types.contains(where: { KillMoment.told(by: $0) == moment }) { try reach(moment) }
    }

    // MARK: The daemon

    private struct Stuck: Error {
        var place: String
    }

    /// Kills the daemon if it is to be killed here, or was to be at a moment that nobody saw, and
    /// starts it again.
    private func reach(_ moment: KillMoment) throws {
        guard let wanted = plan.moment, wanted <= moment, killedAt == nil else { return }
        killedAt = moment
        usleep(plan.microseconds)
        callsBefore = line.begun.count
        kill()
        hadSnapshot = client.snapshot != nil
        try start()
    }

    /// Kills the daemon that was started again where the load that it begins again is so far.
    private func reachAgain(_ types: [String]) throws {
        // A call of the daemon that was killed first may reach the backend late: it is none of
        // these.
        guard killedAt != nil, client.isGreeted, !isKilledAgain, let again = plan.again
        else { return }
        let calls = line.begun.count
        let isNow =
            switch again {
            case .resumed: true
            case .told: types.contains { $0.hasPrefix("loading ") }
            case .called: calls > callsBefore
            case .answered: calls > callsBefore && line.answered >= calls
            }
        guard isNow else { return }
        isKilledAgain = true
        kill()
        try start()
    }

    private func kill() {
        daemon?.send(SIGKILL)
        _ = daemon?.waitForEnd()
        // What was sent before it died is there, and counts.
        while client.listen(within: 1000) != nil {}
    }

    private func start() throws {
        daemon = try RunningDaemon(["--config", configuration.path])
        guard daemon?.firstLine() != nil else {
            throw Stuck(place: "start: \(daemon?.log ?? "")")
        }
        while !client.connect() {
            guard deadline > Date() else { throw Stuck(place: "connect") }
            usleep(2000)
        }
    }

    /// Listens until `isDone`, which is asked again and again.
    private func listen(until place: String, isDone: ([String]) throws -> Bool) throws {
        var types: [String] = []
        while try !isDone(types) {
            guard deadline > Date() else { throw Stuck(place: place) }
            types = client.listen(within: 5) ?? []
            if !client.isConnected { throw Stuck(place: "\(place): closed") }
            try reachAgain(types)
        }
    }
}
