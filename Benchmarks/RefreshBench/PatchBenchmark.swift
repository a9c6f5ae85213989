import RefreshBroker
import RefreshProtocol
import RefreshServer
import RefreshSession

/// A refresh of 1,000 items of 400 bytes, of which 10 have changed. Source: docs/protocol.md,
/// "Patches".
///
/// `Benchmarks/run` runs the steps under a profiler, and computes the instructions of one step.
struct PatchBenchmark {
    /// A step that is measured.
    enum Step: String {
        /// Parses the page, with the hashes of its keys only.
        case parse
        /// Parses the page, with the hashes of keys and items.
        case hash
        /// Makes the runs of a patch from the hashes of two pages.
        case diff
        /// Sends the page to a session whose client uses patches. The patch is in the cache.
        case patch
        /// Sends the page to a session whose client does not use patches.
        case replace
        /// Inserts one live item into the list of 20 items of a session.
        case live
    }

    private static let items = 1000
    private static let itemBytes = 400
    /// Every hundredth item changes.
    private static let changeInterval = 100

    /// Performs the step `count` times.
    static func run(_ step: Step, count: Int) throws {
        let pages = [page(version: 0), page(version: 1)]
        switch step {
        case .parse: try parse(pages[0], hasList: false, count: count)
        case .hash: try parse(pages[0], hasList: true, count: count)
        case .diff: try diff(pages, count: count)
        case .patch: _ = try Viewer(usesPatches: true).refresh(with: pages, count: count)
        case .replace: _ = try Viewer(usesPatches: false).refresh(with: pages, count: count)
        case .live: try live(count: count)
        }
    }

    /// Returns one JSON object with the bytes of the frame with a patch, and with a whole list.
    static func bytes() throws -> String {
        let pages = [page(version: 0), page(version: 1)]
        let patch = try Viewer(usesPatches: true).refresh(with: pages, count: 2)
        let replace = try Viewer(usesPatches: false).refresh(with: pages, count: 2)
        return """
            {"patch_bytes": \(patch), "patch_replace_bytes": \(replace), \
            "patch_bytes_ratio": \(Double(patch) / Double(replace))}
            """
    }

    /// Reports live items to 50 sessions that show the same list, until they have received `count`
    /// messages together. An item is inserted and removed in turn.
    private static func live(count: Int) throws {
        let page = page(version: 0, items: 20)
        let first = Viewer(usesPatches: true)
        let viewers = [first] + (1..<50).map { _ in Viewer(beside: first) }
        for viewer in viewers { _ = try viewer.refresh(with: [page], count: 1) }
        let hash = SipHash(key: 1, 2)
        for number in 0..<(count / viewers.count) {
            let id = number / 2
            let key = ItemOperation.Key(Array("\(id)".utf8), hashedBy: hash)
            let item = Array(#"{"id":\#(id),"title":"A new item","text":"Lorem ipsum"}"#.utf8)
            let insert = ItemOperation(.insert, key, at: .start, item: item, hashedBy: hash)
            let remove = ItemOperation(.remove, key, hashedBy: hash)
            let items = [ItemChange([number % 2 == 0 ? insert : remove])]
            for viewer in viewers { try viewer.change(items) }
        }
    }

    private static func page(version: Int, items: Int = items) -> Page {
        let items = (0..<items).map { id in
            let version = id % changeInterval == 37 ? version : 0
            let start = #"{"id":\#(100_000 + id),"version":\#(version),"text":""#
            return start + String(repeating: "x", count: itemBytes - start.utf8.count - 2) + #""}"#
        }
        var page = Page(
            items: Array("[\(items.joined(separator: ","))]".utf8), count: items.count, more: true)
        page.itemKeys = keys(of: page, hasList: true)
        return page
    }

    private static func keys(of page: Page, hasList: Bool) -> ItemKeys? {
        JSONPointer("/id").flatMap {
            ItemKeys(of: page, at: $0, hashedBy: SipHash(key: 1, 2), hasList: hasList)
        }
    }

    private static func parse(_ page: Page, hasList: Bool, count: Int) throws {
        for _ in 0..<count {
            guard keys(of: page, hasList: hasList)?.elements.count == items else {
                throw BenchmarkError.unexpected("the page cannot be parsed")
            }
        }
    }

    private static func diff(_ pages: [Page], count: Int) throws {
        guard let pointer = JSONPointer("/id"), let old = pages[0].itemKeys?.list,
            let new = pages[1].itemKeys?.list
        else { throw BenchmarkError.unexpected("the items have no keys") }
        for _ in 0..<count {
            guard PatchCache().runs(from: old, to: pages[1], new, keyAt: pointer) != nil else {
                throw BenchmarkError.unexpected("there is no patch")
            }
        }
    }
}

/// A session with one view of the feed.
private final class Viewer {
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
            name: "list", style: .page, size: 1000, itemKey: JSONPointer("/id"))
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

    /// Refreshes with both pages in turn. Returns the bytes of the last frame with items.
    func refresh(with pages: [Page], count: Int) throws -> Int {
        for number in 0..<count {
            seq += 1
            receive(#"{"type":"refresh","view":"list","seq":\#(seq)}"#)
            guard let ticket = loads.ticket else {
                throw BenchmarkError.unexpected("no load was requested")
            }
            loads.ticket = nil
            channel.bytes = 0
            session.handle(
                .load(ticket, .ended(.page(pages[number % pages.count]))),
                at: Instant(milliseconds: Double(seq) * 10_000))
        }
        guard count < 2 || usesPatches == (channel.bytes < 100_000) else {
            throw BenchmarkError.unexpected("a frame of \(channel.bytes) bytes")
        }
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
        session.handle(
            .changed(feed: "list", refreshAt: now, count: NewerCount(1), items: items), at: now)
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
