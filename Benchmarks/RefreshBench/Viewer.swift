import RefreshBroker
import RefreshProtocol
import RefreshServer
import RefreshSession

/// A session with one view of the feed `list`.
final class Viewer {
    private let channel = LastFrameChannel()
    private let services: SessionServices
    private let loads: LastLoad
    private let session: Session
    private let usesPatches: Bool
    private var seq = 1
    private var isAtRest = false

    /// A viewer on the loop of another one.
    convenience init(beside other: Viewer) {
        self.init(usesPatches: other.usesPatches, other.services, other.loads)
    }

    convenience init(usesPatches: Bool) {
        let feed = FeedDescription(
            name: "list", style: .page, size: 2000, itemKey: JSONPointer("/id"))
        var limits = Limits()
        limits.queueBytesMax = 10_000_000
        let loads = LastLoad()
        self.init(
            usesPatches: usesPatches,
            SessionServices(
                limits: limits, feeds: [feed], loads: loads, metrics: SessionMetrics(feeds: [])),
            loads)
    }

    private init(usesPatches: Bool, _ services: SessionServices, _ loads: LastLoad) {
        self.usesPatches = usesPatches
        self.services = services
        self.loads = loads
        session = Session(
            key: SessionKey(loop: 0, slot: 0, generation: 0), name: "bench", channel: channel,
            services: services, now: .origin)
        let features = usesPatches ? #""features":["patch","live"],"# : ""
        receive(
            #"{"type":"hello","protocol":1,"client":"bench",\#(features)"views":[{"view":"list","#
                + #""profile":"default","feed":"list","top":{"arrivals":"insert"},"#
                + #""geometry":{"viewport":{"width":390,"height":800},"#
                + #""content":{"width":390,"height":4000}}}]}"#)
    }

    /// Refreshes with the pages in turn. Returns the bytes of the last frame with items.
    func refresh(with pages: [Page], count: Int) throws -> Int {
        for number in 0..<count { try refresh(with: pages[number % pages.count]) }
        guard count < 2 || usesPatches == (channel.bytes < 100_000) else {
            throw BenchmarkError.unexpected("a frame of \(channel.bytes) bytes")
        }
        return channel.bytes
    }

    /// Refreshes with a page. Returns the bytes of the frame with its items.
    @discardableResult
    func refresh(with page: Page) throws -> Int { try load("refresh", page) }

    /// Loads the next page.
    func loadMore(_ page: Page) throws { _ = try load("loadMore", page) }

    private func load(_ type: String, _ page: Page) throws -> Int {
        seq += 1
        receive(#"{"type":"\#(type)","view":"list","seq":\#(seq)}"#)
        guard let ticket = loads.ticket else {
            throw BenchmarkError.unexpected("no load was requested")
        }
        loads.ticket = nil
        channel.bytes = 0
        session.handle(
            .load(ticket, .ended(.page(page))), at: Instant(milliseconds: Double(seq) * 10_000))
        return channel.bytes
    }

    /// Reports operations. Each must cause one frame.
    func change(_ items: [ItemChange]) throws {
        let now = Instant(milliseconds: Double(seq + 1) * 10_000)
        // The first refresh comes to rest.
        if !isAtRest {
            for step in [-5000.0, -3000, -1000] {
                session.handle(.wake, at: now.advanced(byMilliseconds: step))
            }
        }
        isAtRest = true
        channel.bytes = 0
        session.handleChange(
            of: "list", refreshAt: now, count: NewerCount(1), items: items, at: now)
        session.finishChange(at: now)
        guard 1...1000 ~= channel.bytes else {
            throw BenchmarkError.unexpected("a frame of \(channel.bytes) bytes")
        }
    }

    private func receive(_ text: String) {
        session.receive(Array(text.utf8).span, at: Instant(milliseconds: Double(seq) * 10_000))
    }
}

/// Counts the bytes of frames, and drops them.
private final class LastFrameChannel: Channel {
    var bytes = 0
    var isWritable: Bool { true }

    func send(_ frame: inout ByteBuffer) { bytes += frame.bytes.count }
    func requestWritable() {}
    func setReadingPaused(_ isPaused: Bool) {}
    func close(_ code: CloseCode, reason: String) {}
}

/// Keeps the last load that was requested.
private final class LastLoad: LoadDispatching {
    var ticket: LoadTicket?

    func start(_ ticket: LoadTicket, _ brokerRequest: BrokerRequest, deadlineMs: Int) {
        self.ticket = ticket
    }

    func cancel(_ ticket: LoadTicket, because reason: LeaveReason) {}
}
