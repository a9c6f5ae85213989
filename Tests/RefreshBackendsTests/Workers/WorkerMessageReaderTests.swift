import RefreshBroker
import RefreshProtocol
import Testing
import Workbench

@testable import RefreshBackends

/// The parser of workers' messages.
@Suite("WorkerMessageReader")
struct WorkerMessageReaderTests {
    private func read(_ text: String) throws -> WorkerMessage {
        try WorkerMessageReader.read(Array(text.utf8).span)
    }

    @Test(
        "A change has operations if the feed has an itemKey and each member is as described",
        arguments: [
            (#""operations":[{"insert":{"id":3},"at":"start"},{"remove":4}]"#, 1, true),
            (#""operations":[{"remove":4}],"count":2,"subject":"ann","parameters":{}"#, 2, true),
            (#""operations":[{"remove":4.5}],"count":2"#, 2, false),
            (#""operations":[{"remove":4}],"parameters":{"x":"1"}"#, nil, false),
            (#""operations":[]"#, nil, false), (#""operations":7"#, nil, false),
            (#""operations":null,"count":1"#, 1, false),
        ] as [(String, Int?, Bool)])
    func operations(members: String, count: Int?, hasItems: Bool) throws {
        let notices = FeedNotices()
        notices.setFeeds(["songs": .init(itemKey: JSONPointer("/id")), "plain": .init()])
        for feed in ["songs", "plain"] {
            let text = #"{"feed":"\#(feed)",\#(members),"type":"changed"}"#
            let message = try WorkerMessageReader.read(Array(text.utf8).span, notices: notices)
            guard case .changed(let change) = message else {
                Issue.record("The message is no change.")
                continue
            }
            #expect(change.feed == feed)
            #expect((change.items != nil) == (hasItems && feed == "songs"))
            if feed == "songs" { #expect(change.count == NewerCount(count)) }
        }
    }

    private func refusal(_ text: String) -> WorkerMessageFault? {
        do throws(WorkerMessageFault) {
            _ = try WorkerMessageReader.read(Array(text.utf8).span)
            return nil
        } catch {
            return error
        }
    }

    static let understood: [(text: String, message: WorkerMessage)] = [
        (
            #"{"type":"page","id":"17","items":[{"a":1},2]}"#,
            .page(CallID(17), page(#"[{"a":1},2]"#, 2))
        ),
        (
            #" {"items": [ ] ,"x":{"id":"3"},"id":"0","type":"page"} "#,
            .page(CallID(0), page("[ ]", 0))
        ),
        (
            #"{"type":"page","id":"1","items":[],"more":null,"next":null,"total":null,"#
                + #""maxAgeMs":null}"#,
            .page(CallID(1), page("[]", 0, more: false))
        ),
        (
            #"{"type":"page","id":"1","items":[],"next":""}"#,
            .page(CallID(1), page("[]", 0, more: false))
        ),
        (
            #"{"type":"page","id":"1","items":[],"next":"a\"\u00e9"}"#,
            .page(CallID(1), page("[]", 0, more: true, cursor: "a\"é"))
        ),
        (
            #"{"type":"page","id":"1","items":[],"next":"c","more":false,"total":0,"maxAgeMs":0}"#,
            .page(CallID(1), page("[]", 0, more: false, cursor: "c", total: 0, lifetimeMs: 0))
        ),
        (
            #"{"type":"page","id":"18446744073709551615","items":[1e-999]}"#,
            .page(CallID(.max), page("[1e-999]", 1))
        ),
        (
            #"{"type":"failed","id":"1"}"#,
            .failed(CallID(1), LoadFailure(.backendRejected, "The worker failed."))
        ),
        (
            #"{"type":"failed","id":"1","message":"m","temporary":true}"#,
            .failed(CallID(1), LoadFailure(.backendFailed, "m"))
        ),
        (
            #"{"type":"failed","id":"1","message":null,"temporary":true,"retryAfterMs":99999999999}"#,
            .failed(
                CallID(1),
                LoadFailure(.backendBusy, "The worker failed.", retryAfterMs: 86_400_000))
        ),
        (
            #"{"type":"failed","id":"1","items":7}"#,
            .failed(CallID(1), LoadFailure(.backendRejected, "The worker failed."))
        ),
        (#"{"type":"progress","id":"1","progress":0}"#, .progress(CallID(1), 0)),
        (#"{"type":"progress","id":"1","progress":1e0}"#, .progress(CallID(1), 1)),
        (#"{"type":"changed","feed":"songs","id":7}"#, .changed(FeedChange("songs"))),
        (
            #"{"type":"changed","feed":"songs","count":3}"#,
            .changed(FeedChange("songs", count: NewerCount(3)))
        ),
        (
            #"{"type":"changed","feed":"songs","count":5000000}"#,
            .changed(FeedChange("songs", count: NewerCount(1_000_000)))
        ),
        (
            #"{"type":"register","token":"t","feeds":["a" , "b"]}"#,
            .register(WorkerRegistration(token: "t", feeds: ["a", "b"]))
        ),
        (
            #"{"type":"register","token":"","feeds":["a"],"capacity":1000}"#,
            .register(WorkerRegistration(token: "", feeds: ["a"], capacity: 1000))
        ),
    ]

    private static func page(
        _ items: String, _ count: Int, more: Bool? = nil, cursor: String? = nil,
        total: Int? = nil, lifetimeMs: Int? = nil
    ) -> Page {
        Page(
            items: Array(items.utf8), count: count, more: more, cursor: cursor, total: total,
            lifetimeMs: lifetimeMs)
    }

    @Test("A valid message is parsed", arguments: understood)
    func understands(_ text: String, _ message: WorkerMessage) throws {
        #expect(try read(text) == message)
    }

    /// Invalid messages. Each has its invalid field, and states whether the id of its load can be
    /// read.
    static let refused: [(text: String, field: String?, isKnown: Bool)] = [
        (#"{"id":"5"}"#, nil, true),
        (#"{"type":7,"id":"5"}"#, nil, true),
        (#"{"type":"load","id":"5"}"#, nil, true),
        (#"{"type":"page","items":[]}"#, "id", false),
        (#"{"type":"page","id":5,"items":[]}"#, "id", false),
        (#"{"type":"page","id":"+5","items":[]}"#, "id", false),
        (#"{"type":"page","id":"","items":[]}"#, "id", false),
        (#"{"type":"page","id":"18446744073709551616","items":[]}"#, "id", false),
        (#"{"type":"page","id":"5"}"#, "items", true),
        (#"{"type":"page","id":"5","items":null}"#, "items", true),
        (#"{"type":"page","items":[],"items":[],"id":"5"}"#, "items", false),
        (#"{"type":"page","id":"5","items":[],"more":"true"}"#, "more", true),
        (#"{"type":"page","id":"5","items":[],"next":1}"#, "next", true),
        (#"{"type":"page","id":"5","items":[],"total":1.5}"#, "total", true),
        (#"{"type":"page","id":"5","items":[],"total":-1}"#, "total", true),
        (#"{"type":"page","id":"5","items":[],"maxAgeMs":"1"}"#, "maxAgeMs", true),
        (#"{"type":"failed","id":"5","message":1}"#, "message", true),
        (#"{"type":"failed","id":"5","temporary":"yes"}"#, "temporary", true),
        (#"{"type":"failed","id":"5","retryAfterMs":-1}"#, "retryAfterMs", true),
        (#"{"type":"progress","id":"5"}"#, "progress", true),
        (#"{"type":"progress","id":"5","progress":-0.1}"#, "progress", true),
        (#"{"type":"progress","id":"5","progress":"1"}"#, "progress", true),
        (#"{"type":"progress","id":"5","progress":null}"#, "progress", true),
        (#"{"type":"changed"}"#, "feed", false),
        (#"{"type":"changed","feed":"songs","count":-1}"#, "count", false),
        (#"{"type":"changed","feed":"songs","count":"3"}"#, "count", false),
        (#"{"type":"changed","feed":null}"#, "feed", false),
        (#"{"type":"register","feeds":["a"]}"#, "token", false),
        (#"{"type":"register","token":"t"}"#, "feeds", false),
        (#"{"type":"register","token":"t","feeds":[]}"#, "feeds", false),
        (#"{"type":"register","token":"t","feeds":["a",1]}"#, "feeds", false),
        (#"{"type":"register","token":"t","feeds":["a","a"]}"#, "feeds", false),
        (#"{"type":"register","token":"t","feeds":"a"}"#, "feeds", false),
        (#"{"type":"register","token":"t","feeds":["a"],"capacity":0}"#, "capacity", false),
        (#"{"type":"register","token":"t","feeds":["a"],"capacity":1001}"#, "capacity", false),
    ]

    @Test("An invalid message is refused with the name of the field", arguments: refused)
    func refuses(_ text: String, _ field: String?, _ isKnown: Bool) throws {
        let fault = try #require(refusal(text))
        #expect(fault.reason == (field.map { .field($0) } ?? .unknownType))
        #expect(fault.load == (isKnown ? CallID(5) : nil))
        #expect(fault.failure.code == .backendAnswerMalformed)
    }

    static let unreadable = [
        "", " ", "x", "[", "{", #"{"id":"5""#, #"{"id":"5",}"#, #"{"id":"5"}}"#, "\u{FEFF}{}",
        #"{"type":"page","id":"5","items":[1,]}"#, #"{"type":"page","id":"5","items":["\ud800"]}"#,
        #"{"type":"page","id":"5","items":[1e999]}"#, #"{"type":"page","id":"5","items":[01]}"#,
        #"{"id":"5","x":"# + String(repeating: "[", count: 64) + "]",
    ]

    @Test("A message that is not JSON is refused with its load's id, if any", arguments: unreadable)
    func isUnreadable(_ text: String) throws {
        let fault = try #require(refusal(text))
        guard case .unreadable = fault.reason else {
            Issue.record("\(fault.reason)")
            return
        }
        #expect(fault.load == (text.contains(#""5""#) ? CallID(5) : nil))
    }

    @Test("A cursor may have 4,096 bytes including its quotes")
    func cursorBound() throws {
        func text(_ count: Int) -> String {
            let cursor = String(repeating: "c", count: count)
            return #"{"type":"page","id":"5","items":[],"next":"\#(cursor)"}"#
        }
        _ = try read(text(4094))
        #expect(refusal(text(4095))?.reason == .field("next"))
    }

    @Test("Only the first 200 characters of a worker's failure message are kept")
    func longMessages() throws {
        let long = String(repeating: "é", count: 300)
        let message = try read(#"{"type":"failed","id":"1","message":"\#(long)"}"#)
        let truncated = String(repeating: "é", count: 200)
        #expect(message == .failed(CallID(1), LoadFailure(.backendRejected, truncated)))
    }

    @Test("The 200 characters are Unicode scalars, so the message may be cut within a grapheme")
    func marks() throws {
        let long = "a" + String(repeating: "\u{301}", count: 400_000)
        let message = try read(#"{"type":"failed","id":"1","message":"\#(long)"}"#)
        guard case .failed(_, let failure) = message else {
            Issue.record("\(message)")
            return
        }
        #expect(failure.message.unicodeScalars.count == 200)
        #expect(failure.message.utf8.count == 399)
        let widest = String(repeating: "\u{1F44D}", count: 300)
        guard
            case .failed(_, let wide) = try read(
                #"{"type":"failed","id":"1","message":"\#(widest)"}"#)
        else { return }
        #expect(wide.message.utf8.count == 800)
    }

    @Test("An integer above 2^53 - 1 is refused")
    func exactIntegers() throws {
        let page = #"{"type":"page","id":"5","items":[],"total":"#
        guard case .page(_, let greatest) = try read(page + "9007199254740991}") else {
            Issue.record("the message was not read as a page")
            return
        }
        #expect(greatest.total == 9_007_199_254_740_991)
        #expect(refusal(page + "9007199254740992}")?.reason == .field("total"))
        #expect(refusal(page + "9223372036854775807}")?.reason == .field("total"))
    }

    @Test("The id of a load is found in an incomplete message")
    func beginning() {
        func load(_ text: String) -> CallID? {
            WorkerMessageReader.load(inBeginning: Array(text.utf8).span)
        }
        #expect(load(#"{"type":"page","id":"5","items":["xxx"#) == CallID(5))
        #expect(load(#"{"type":"page","items":["xxx"#) == nil)
        #expect(load("xxx") == nil)
    }

    @Test("Mutated messages cause no trap", arguments: 1...20)
    func mutations(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for (text, _) in Self.understood {
            for _ in 0..<200 {
                var bytes = Array(text.utf8)
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let index = Int.random(in: 0..<bytes.count, using: &random)
                    switch Int.random(in: 0..<3, using: &random) {
                    case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
                    case 1: bytes.insert(bytes[index], at: index)
                    default: if bytes.count > 1 { bytes.remove(at: index) }
                    }
                }
                _ = try? WorkerMessageReader.read(bytes.span)
                _ = WorkerMessageReader.load(inBeginning: bytes.span)
            }
        }
    }
}
