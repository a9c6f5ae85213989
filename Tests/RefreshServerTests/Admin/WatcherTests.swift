import RefreshProtocol
import ScenarioKit
import Synchronization
import Testing

@testable import RefreshServer
@testable import RefreshSession
@testable import WireContract

/// A watcher is a client of `/v1/watch`. It receives events about sessions.
@Suite("Watchers")
struct WatcherTests {
    private final class Wakes: Sendable {
        let count = Mutex(0)
    }

    private static func event(_ number: Int, bytes: Int = 0) -> [UInt8] {
        Array(#"{"n":\#(number)\#(String(repeating: " ", count: bytes))}"#.utf8)
    }

    /// Returns the contract violations in a frame.
    private static func mistakes(_ frame: String) -> [String] {
        CheckedLine.contract.violations(inFrame: frame, from: .watch).map(\.description)
    }

    @Test("A watcher is woken once for queued events, and again only after it has read all of them")
    func wakes() {
        let wakes = Wakes()
        let watcher = Watcher(WatchFilter(), loops: 1) { wakes.count.withLock { $0 += 1 } }
        watcher.enqueue(Self.event(1))
        watcher.enqueue(Self.event(2))
        #expect(wakes.count.withLock { $0 } == 1)
        #expect(watcher.dequeueFrame() == Array(#"[{"n":1},{"n":2}]"#.utf8))
        #expect(watcher.dequeueFrame() == nil)
        watcher.enqueue(Self.event(3))
        #expect(wakes.count.withLock { $0 } == 2)
        #expect(watcher.dequeueFrame() == Self.event(3))
    }

    @Test("The event `watching` is sent when the last loop has added the watcher")
    func begun() {
        let watcher = Watcher(WatchFilter(), loops: 2) {}
        watcher.recordLoopJoined()
        #expect(watcher.dequeueFrame() == nil)
        watcher.recordLoopJoined()
        let frame = Array(#"{"event":"watching"}"#.utf8)
        #expect(watcher.dequeueFrame() == frame)
        #expect(Self.mistakes(String(decoding: frame, as: UTF8.self)) == [])
    }

    @Test("A watcher that does not read loses the newest events, and then receives their number")
    func loses() throws {
        let watcher = Watcher(WatchFilter(), loops: 1) {}
        let size = Self.event(10_000, bytes: 100).count
        let capacity = Watcher.waitingBytesMax / size
        let eventCount = capacity + 1000
        for number in 0..<eventCount { watcher.enqueue(Self.event(10_000 + number, bytes: 100)) }
        var seen: [Int] = []
        var frames = 0
        while true {
            let frame = String(decoding: try #require(watcher.dequeueFrame()), as: UTF8.self)
            #expect(frame.utf8.count <= Watcher.frameBytesMax + 1024)
            frames += 1
            let value = try JSONValue(parsing: frame)
            if let count = value["count"]?.number {
                #expect(value["event"]?.string == "lost")
                #expect(Int(count) == eventCount - seen.count)
                break
            }
            seen += (value.array ?? [value]).compactMap { $0["n"]?.number }.map { Int($0) }
            // The loss is reported only after the watcher has read all queued events. Until then,
            // new events are lost too, so the report has the number of all lost events.
            if frames == 1 { continue }
        }
        #expect(seen == Array(10_000..<(10_000 + capacity)))
        #expect(frames > 2)
        watcher.enqueue(Self.event(1))
        #expect(watcher.dequeueFrame() == Self.event(1))
    }

    @Test("An event that exceeds the whole buffer is lost, and later events are not")
    func tooLong() {
        let watcher = Watcher(WatchFilter(), loops: 1) {}
        watcher.enqueue(Self.event(1, bytes: Watcher.waitingBytesMax))
        #expect(watcher.dequeueFrame() == SessionEvent.lost(1))
        #expect(Self.mistakes(String(decoding: SessionEvent.lost(1), as: UTF8.self)) == [])
        watcher.enqueue(Self.event(2))
        #expect(watcher.dequeueFrame() == Self.event(2))
    }

    @Test("A filter passes the events of the session and the feed that it names")
    func filters() {
        let view = ViewID("list")
        let attached = SessionEvent(.attached, session: "ab", view: view, feed: "songs")
        let closed = SessionEvent(.closed(nil), session: "ab")
        #expect(WatchFilter(query: "").matches(attached))
        #expect(WatchFilter(query: "session=ab").matches(closed))
        #expect(!WatchFilter(query: "session=abc").matches(closed))
        #expect(!WatchFilter(query: "session=a").matches(closed))
        #expect(WatchFilter(query: "feed=songs").matches(attached))
        #expect(!WatchFilter(query: "feed=songs").matches(closed))
        #expect(!WatchFilter(query: "feed=song").matches(attached))
        #expect(WatchFilter(query: "feed=songs&session=ab").matches(attached))
        #expect(!WatchFilter(query: "feed=songs&session=cd").matches(attached))
        #expect(WatchFilter(query: "feed=&session").matches(closed))
        #expect(
            !WatchFilter(feed: "e\u{301}").matches(
                SessionEvent(.attached, session: "ab", feed: "\u{e9}")))
    }

    @Test("An event is one line of JSON, whatever names clients choose")
    func json() throws {
        let hostile = "a\"b\\c\n\u{0}\u{1B}[31m\u{2028}é"
        func json(_ event: SessionEvent) throws -> JSONValue {
            let text = String(decoding: event.json(time: "T"), as: UTF8.self)
            #expect(!text.utf8.contains { $0 < 0x20 })
            #expect(Self.mistakes(text) == [])
            return try JSONValue(parsing: text)
        }
        let greeted = try json(
            SessionEvent(
                .greeted(client: hostile, frames: .plain, subject: hostile), session: "ab"))
        #expect(greeted["client"]?.string == hostile)
        #expect(greeted["subject"]?.string == hostile)
        #expect(greeted["event"]?.string == "greeted")
        let attached = try json(
            SessionEvent(.attached, session: "ab", view: ViewID("l\"i\\st"), feed: hostile))
        #expect(attached["feed"]?.string == hostile)
        #expect(attached["view"]?.string == "l\"i\\st")
    }
}
