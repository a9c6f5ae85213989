import Foundation
import Glibc
import Workbench

/// A client that refreshes and loads more, while its daemon may be killed and restarted.
final class KillRun {
    /// The planned kills, and the properties of the run that differ between runs.
    struct Plan {
        var seed: UInt64
        /// The moment of the kill. Nil if the daemon is not killed.
        var moment: KillMoment?
        /// The delay of the kill after the moment, in microseconds.
        var microseconds: UInt32
        /// Whether items have a key. If they have, the daemon omits duplicates.
        var hasItemKey: Bool
        /// The moment at which the restarted daemon is killed. Nil if it is not killed.
        var again: KillAgain?
    }

    /// The result of the run.
    struct Outcome {
        var seen: ThinClient.Seen
        var returns: [String]
        var errors: [String]
        var sessions: Set<String>
        var calls: [CountingBackend.Call]
        /// The step in which the run got stuck. Nil if it ended.
        var stuck: String?
        /// The moment at which the daemon was killed. Nil if it was not killed.
        var killedAt: KillMoment?
        /// Whether the client had a snapshot when its daemon was killed.
        var hadSnapshot: Bool
        /// Whether the restarted daemon was killed too.
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
    /// The number of calls that the backend had received before the first kill.
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
            try recordMoment(types, marking: .refreshBegan)
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
        try reach(.moreRequested)
        try listen(until: "more") { types in
            try recordMoment(types, marking: .moreBegan)
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
        // If the daemon sent superfluous messages, they would arrive during this time.
        let quiet = Date(timeIntervalSinceNow: 0.03)
        while quiet > Date() { _ = client.listen(within: 10) }
    }

    private func recordMoment(_ types: [String], marking moment: KillMoment) throws {
        if types.contains(where: { KillMoment.marked(by: $0) == moment }) { try reach(moment) }
    }

    // MARK: The daemon

    private struct Stuck: Error {
        var place: String
    }

    /// If the daemon is to be killed at this moment, or at an earlier moment that was missed, kills
    /// the daemon and restarts it.
    private func reach(_ moment: KillMoment) throws {
        guard let wanted = plan.moment, wanted <= moment, killedAt == nil else { return }
        killedAt = moment
        usleep(plan.microseconds)
        callsBefore = line.begun.count
        kill()
        hadSnapshot = client.snapshot != nil
        try start()
    }

    /// Kills the restarted daemon when the repeated load has reached the planned phase.
    private func reachAgain(_ types: [String]) throws {
        // If the backend receives a call before the restarted daemon has answered the client's
        // `hello`, the first daemon made this call.
        guard killedAt != nil, client.isGreeted, !isKilledAgain, let again = plan.again
        else { return }
        let calls = line.begun.count
        let isNow =
            switch again {
            case .resumed: true
            case .began: types.contains { $0.hasPrefix("loading ") }
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
        // The client still receives the messages that were sent before the kill.
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

    /// Receives messages until `isDone` returns true. `isDone` is called after each frame.
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
