import Cryptography
import RefreshBroker
import RefreshProtocol
import SealedSnapshots

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// One event loop of a daemon with its sessions. The clock of the loop advances only in `goOn`, and
/// nothing in the loop is random.
final class ReceptionWorld {
    /// An event loop without a thread.
    private final class Loop: SessionLoop, @unchecked Sendable {
        var jobs: [(Instant) -> Void] = []
        var wakeAt: Instant?

        func run(_ job: @escaping @Sendable (Instant) -> Void) { jobs.append(job) }
        func scheduleWakeup(at moment: Instant) { wakeAt = min(wakeAt ?? .never, moment) }
    }

    /// A connection that accepts every frame.
    final class Line: Channel {
        private(set) var frames: [String] = []
        /// The frames without their sealed texts, because these texts differ in each run.
        var sentTexts: [String] { frames.map(ReceptionWorld.unsealed) }
        private(set) var isClosed = false

        var isWritable: Bool { true }

        func send(_ frame: inout ByteBuffer) {
            require(!isClosed, "nothing is sent on a closed connection")
            frames.append(String(decoding: frame.bytes, as: UTF8.self))
        }
        func requestWritable() {}
        func setReadingPaused(_ isReadingPaused: Bool) {}
        func close(_ code: CloseCode, reason: String) {
            require(!isClosed, "a connection is closed once")
            isClosed = true
        }
    }

    /// Backends that answer only in `goOn`.
    private final class Loads: LoadDispatching {
        /// The requests without an answer. A look-up cannot be cancelled.
        var waiting: [(ticket: LoadTicket, isLookUp: Bool)] = []

        func start(_ ticket: LoadTicket, _ wish: BrokerRequest, deadlineMs: Int) {
            waiting.append((ticket, wish.isLookUp))
        }
        func cancel(_ ticket: LoadTicket, because reason: LeaveReason) {
            waiting.removeAll { $0.ticket == ticket && !$0.isLookUp }
        }
    }

    static let wallMilliseconds: Int64 = 1_795_262_400_000
    static let key = SealingKey(
        id: "k1", secret: SymmetricKey([UInt8](repeating: 7, count: 32)))
    static var seal: SnapshotSeal {
        SnapshotSeal(KeyRing(first: key), limits: Limits()) { wallMilliseconds }
    }
    /// The name and the token of the first session in a world.
    static let session = SessionName.text(1)
    static let token = ResumeToken(2, 3).text

    private let loop = Loop()
    private let loads = Loads()
    private let directory = LoopDirectory()
    private let host: SessionHost
    private(set) var now = Instant(milliseconds: 90_000)

    /// Returns a frame without its sealed text.
    private static func unsealed(_ frame: String) -> String {
        let parts = frame.split(separator: #""sealed":""#, omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(String(parts[0])) { text, part in
            text + #""sealed":"…"# + part.drop { $0 != "\"" }
        }
    }

    init() {
        let services = SessionServices(
            limits: Limits(),
            feeds: [
                FeedDescription(
                    name: "songs", parameters: ["q"], forward: ["accept-language"], style: .page,
                    first: 1, size: 10),
                FeedDescription(name: "mails", style: .cursor, size: 5),
                FeedDescription(
                    name: "news", parameters: ["q"], style: .offset, first: 0, size: 2,
                    keepsPages: true, debounceMs: 200),
            ], loads: loads, metrics: SessionMetrics(), seal: Self.seal)
        var drawn: UInt64 = 0
        host = SessionHost(
            loop: loop, index: 0, services: services, directory: directory,
            draw: {
                drawn += 1
                return drawn
            })
        directory.register(host, index: 0)
    }

    deinit { directory.close() }

    /// Opens a connection. Returns its session and the connection.
    func connect() -> (session: Session, line: Line) {
        let line = Line()
        return (host.opened(line, at: now), line)
    }

    func send(_ frame: [UInt8], by session: Session, on line: Line) {
        guard !line.isClosed else { return }
        _ = host.receive(frame.span, by: session, at: now)
        runJobs()
    }

    func close(_ session: Session) {
        host.closed(session, at: now)
        runJobs()
    }

    /// Returns a sealed snapshot of the session, and the content of the snapshot: a text, a zero
    /// byte and the hashes of items.
    func sealed(_ session: Session, on line: Line) -> (text: String, plain: [UInt8])? {
        send(Array(#"{"type":"snapshot"}"#.utf8), by: session, on: line)
        let claim = SnapshotClaim(session: Self.session, token: Self.token, subject: nil)
        guard let last = line.frames.last?.split(separator: #""sealed":""#).last,
            let text = last.split(separator: "\"").first.map(String.init),
            let opened = try? Self.seal.open(text, for: claim, at: now)
        else { return nil }
        return SnapshotProperties.plain(opened).map { (text, $0) }
    }

    /// Repeatedly lets backends answer and advances the time to the next deadline, for at most a
    /// minute in total.
    func goOn() {
        let end = now.advanced(byMilliseconds: 60_000.0)
        for _ in 0..<64 {
            answerLoads()
            guard let wake = loop.wakeAt, wake <= end else { return }
            loop.wakeAt = nil
            // A deadline in the past is due at once.
            now = max(now, wake)
            host.wakeupFired(at: now)
            runJobs()
        }
    }

    private func answerLoads() {
        let page = Page(items: Array("[1,{\"id\":2}]".utf8), count: 2, more: true, cursor: "c")
        for (index, (ticket, isLookUp)) in loads.waiting.enumerated() {
            guard !isLookUp else {
                let found = FoundPage(page: page, ageMs: 300, isFresh: index % 2 == 0)
                directory.deliver(.lookUpEnded(index % 3 == 2 ? nil : found), to: [ticket])
                continue
            }
            let outcome =
                index % 3 == 2
                ? LoadOutcome.failed(LoadFailure(.backendFailed, "no")) : .page(page)
            directory.deliver(.ended(outcome), to: [ticket])
        }
        loads.waiting = []
        runJobs()
    }

    private func runJobs() {
        var count = 0
        while !loop.jobs.isEmpty {
            loop.jobs.removeFirst()(now)
            count += 1
            require(count < 10_000, "the posted jobs come to an end")
        }
    }
}
