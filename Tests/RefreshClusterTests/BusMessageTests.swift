import RefreshBroker
import RefreshProtocol
import Testing

@testable import RefreshCluster

/// Source: docs/cluster.md, "Messages".
@Suite("Bus messages")
struct BusMessageTests {
    private func read(_ text: String) -> Result<BusMessage, BusMessageDrop> {
        do throws(BusMessageDrop) {
            return .success(try BusMessage(reading: Array(text.utf8)))
        } catch {
            return .failure(error)
        }
    }

    private func text(_ content: BusMessage.Content) -> String {
        String(decoding: BusMessage(from: NodeID(bits: 10), content).bytes ?? [], as: UTF8.self)
    }

    @Test("Every message is read as it was written", arguments: MessageSamples.messages)
    func roundTrip(message: BusMessage) throws {
        let bytes = try #require(message.bytes)
        #expect(try BusMessage(reading: bytes) == message)
        let isPage = message.content.type == .page
        #expect(bytes.contains(0x0A) == isPage)
    }

    @Test("The samples contain every type")
    func samples() {
        #expect(Set(MessageSamples.contents.map(\.type)) == Set(BusMessageType.allCases))
    }

    @Test("The messages have the documented form")
    func form() {
        let head = #"{"v":1,"type":"#
        let from = #","from":"000000000000000a""#
        #expect(text(.leave) == head + #""leave""# + from + "}")
        #expect(
            text(.changed(FeedChange("news", count: NewerCount(3)), number: 7))
                == head + #""changed""# + from + #","feed":"news","number":7,"count":3}"#)
        var counts = NodeCounts()
        counts.sessions = [CountKey(bits: 3): 2, CountKey(bits: 2): 2, CountKey(bits: 1): 1]
        counts.handshakes = [CountKey(bits: .max): 31]
        #expect(
            text(.counts(counts, number: 8))
                == head + #""counts""# + from + #","number":8,"sessions":[["0000000000000002",2],"#
                + #"["0000000000000003",2],["0000000000000001",1]],"#
                + #""handshakes":[["ffffffffffffffff",31]]}"#
        )
        #expect(
            text(.state(.of(NodeID(bits: 2), changes: ["b": 2, "a": 1], workers: ["a"])))
                == head + #""state""# + from
                + #","name":"node 2","version":"1.0.0","sessions":3,"feeds":{"a":1,"b":2}"#
                + #","workers":["a"]}"#
        )
        #expect(
            text(.event(.page("[1,2]", count: 2), number: 4))
                == head + #""page""# + from
                + #","id":4,"count":2,"freshMs":100,"coolDownMs":0,"ageMs":5}"# + "\n[1,2]")
        #expect(
            text(.list(after: "c0", number: 3))
                == head + #""list""# + from + #","id":3,"after":"c0"}"#)
        let session = ListedSession(
            name: "d1", loop: 2, state: "open", ageMs: 7, views: 1, subject: "ada", peer: "::1")
        #expect(
            text(.listed(SessionPage([session], hasMore: true), number: 3))
                == head + #""listed""# + from + #","id":3,"sessions":[{"session":"d1","loop":2,"#
                + #""state":"open","ageMs":7,"subject":"ada","peer":"::1","views":1}],"more":true}"#
        )
        #expect(
            text(.watch(EventSelection(session: "c0", feed: "news"), number: 5))
                == head + #""watch""# + from + #","id":5,"session":"c0","feed":"news"}"#)
        #expect(
            text(.watched([Array(#"{"event":"closed"}"#.utf8)], number: 5))
                == head + #""watched""# + from + #","id":5,"events":[{"event":"closed"}]}"#)
        let load = AskedLoad.of(
            LoadRequest(
                feed: "news", kind: .refresh, page: 1, offset: 0, size: 20,
                parameters: [LoadParameter(name: "n", value: .integer(-7))],
                headers: [HeaderField(name: "h", value: "v")], subject: "anna"),
            deadlineMs: 9, seen: [SeenChange(node: NodeID(bits: 11), number: 2)])
        #expect(
            text(.load(load, number: 3))
                == head + #""load""# + from
                + #","id":3,"deadlineMs":9,"kept":"any","key":"key","request":{"feed":"news","#
                + #""kind":"refresh","trigger":"manual","page":1,"offset":0,"size":20,"#
                + #""parameters":[["n","integer","-7"]],"headers":[["h","v"]],"#
                + #""subject":"anna"},"seen":[["000000000000000b",2]]}"#
        )
    }

    @Test("Unknown members are ignored, and null is the same as an absent member")
    func unknownMembers() {
        let message = read(
            #" { "new":{"a":[1]}, "from":"000000000000000a", "number":2, "feed":"news", "#
                + #""type":"changed", "count":null, "v":1 } "#
        )
        #expect(
            message
                == .success(
                    BusMessage(
                        from: NodeID(bits: 10), .changed(FeedChange("news"), number: 2))))
    }

    @Test(
        "A message that is not well formed is dropped as malformed",
        arguments: [
            "", "null", "[]", "{", "{}{}", #"{"v":1,"v":1}"#, "\u{FEFF}{}", "{\"v\":NaN}",
            #"{"a":[[[[[[[[[[1]]]]]]]]]]}"#, "{\"v\":1,\n\"type\":\"leave\"}",
            "{\"v\":1,\"type\":\"leave\",\"from\":\"000000000000000a\"}\n",
            "{\"v\":1,\"type\":\"page\",\"from\":\"000000000000000a\",\"id\":1}",
        ])
    func malformed(text: String) { #expect(read(text) == .failure(.malformed)) }

    @Test("Another version and an unknown type are dropped, whatever their members are")
    func foreign() {
        #expect(read("{}") == .failure(.version))
        #expect(read(#"{"v":2,"type":"state","from":1}"#) == .failure(.version))
        #expect(read(#"{"v":"1","type":"state"}"#) == .failure(.version))
        #expect(read(#"{"v":1}"#) == .failure(.type))
        #expect(read(#"{"v":1,"type":"fence","from":1}"#) == .failure(.type))
        #expect(read(#"{"v":1,"type":7}"#) == .failure(.type))
    }

    @Test(
        "A message with a member that is missing, of the wrong type or out of range is dropped",
        arguments: [
            ("changed", #""feed":"a","number":0"#), ("changed", #""feed":"a","number":1.5"#),
            ("changed", #""feed":"a","number":9007199254740993"#),
            ("changed", #""feed":"a","number":1e308"#),
            ("changed", #""feed":"a","number":1,"count":-1"#), ("changed", #""number":1"#),
            ("cancel", #""id":"1""#), ("waiting", #""x":1"#),
            ("progress", #""id":1,"value":1.01"#), ("progress", #""id":1,"value":true"#),
            ("failed", #""id":1,"code":"draining","message":"""#),
            ("failed", #""id":1,"code":"backendX","message":"""#),
            ("failed", #""id":1,"code":"backendBusy""#), ("refused", #""id":1,"reason":"tired""#),
            (
                "retrying",
                #""id":1,"attempt":0,"afterMs":1,"code":"backendBusy","message":"""#
            ),
            ("state", #""name":"n","version":"1","sessions":-1"#),
            ("state", #""name":"n","version":"1","sessions":1,"feeds":[]"#),
            ("state", #""name":"n","version":"1","sessions":1,"feeds":{"a":0}"#),
            ("state", #""name":"n","version":"1","sessions":1,"workers":[1]"#),
            ("state", #""name":"n","version":"1","sessions":1,"loads":-1"#),
            ("watch", #""id":1,"session":1"#), ("unwatch", #""id":-1"#),
            ("watched", #""id":1,"events":["a"]"#), ("watched", #""id":1,"events":{}"#),
            ("list", #""id":0"#), ("list", #""id":1,"after":7"#),
            ("listed", #""id":1,"sessions":{}"#), ("listed", #""id":1,"sessions":[7]"#),
            ("listed", #""id":1,"more":1"#),
            (
                "listed",
                #""id":1,"sessions":[{"session":"","loop":0,"state":"open","ageMs":0,"views":0}]"#
            ),
            (
                "listed",
                #""id":1,"sessions":[{"session":"a","loop":65536,"state":"a","ageMs":0,"views":0}]"#
            ),
        ])
    func badMembers(type: String, members: String) {
        let head = #"{"v":1,"type":""# + type + #"","from":"#
        #expect(read(head + #""000000000000000a","# + members + "}") == .failure(.member))
    }

    @Test("A message without a node identity is dropped")
    func badSender() {
        for sender in ["null", "10", #""""#, #""A00000000000000a""#, #""a""#] {
            let text = #"{"v":1,"type":"leave","from":"# + sender + "}"
            #expect(read(text) == .failure(.member))
        }
    }

    @Test("A load whose parts are not those of a request is dropped")
    func badLoads() {
        let good = text(.load(.of(MessageSamples.request, seen: []), number: 1))
        #expect((try? read(good).get()) != nil)
        for (part, replacement) in [
            (#""size":20"#, #""size":100001"#), (#""size":20"#, #""size":-1"#),
            (#""kind":"more""#, #""kind":"less""#), (#""kept":"any""#, #""kept":"all""#),
            (#""key":"key""#, #""key":"a\r\nb""#), (#""deadlineMs":60000"#, #""deadlineMs":0"#),
            (#"["flag","boolean","true"]"#, #"["flag","boolean","1"]"#),
            (#"["flag","boolean","true"]"#, #"["flag","boolean"]"#),
            (#"["x-empty",""]"#, #"["x-empty","a\u000ab"]"#), (#"["x-empty",""]"#, #"["",""]"#),
            (#""request":{"#, #""request":[],"more":{"#),
            (#""subject":"anna""#, #""subject":7"#),
            (#","request""#, #","seen":[["000000000000000a"]],"request""#),
        ] {
            let bad = good.replacing(part, with: replacement)
            #expect(bad != good)
            #expect(read(bad) == .failure(.member), "\(replacement)")
        }
    }

    @Test("The items of a page are checked, because clients receive them byte for byte")
    func badItems() {
        let good = text(.event(.page("[1,2]", count: 2), number: 1))
        #expect(read(good.replacing("\"count\":2", with: "\"count\":3")) == .failure(.member))
        for items in ["", "[1,2", "[1,2] x", "{\"items\":[1,2]}", "[1,\u{1}]", "12"] {
            #expect(read(good.replacing("[1,2]", with: items)) == .failure(.malformed))
        }
    }

    @Test("A first line above the limit is not read and not written")
    func tooLong() {
        let long = String(repeating: " ", count: BusMessageLimits.headBytesMax)
        #expect(read(text(.leave) + long) == .failure(.tooLong))
        var request = LoadRequest.page(1)
        request.cursor = long
        #expect(BusMessage(from: NodeID(bits: 1), .load(.of(request), number: 1)).bytes == nil)
    }

    @Test("Values out of their range are written as the nearest value in it")
    func clamped() throws {
        let failure = LoadFailure(
            .backendFailed, String(repeating: "é", count: 5000), retryAfterMs: -3)
        let written = BusMessage(
            from: NodeID(bits: 1),
            .event(.retrying(attempt: 0, afterMs: .max, failure), number: 1))
        let message = try BusMessage(reading: try #require(written.bytes))
        let short = LoadFailure(
            .backendFailed, String(repeating: "é", count: 1000), retryAfterMs: 0)
        #expect(
            message.content
                == .event(.retrying(attempt: 1, afterMs: 86_400_000, short), number: 1))
        for (value, expected) in [(.nan, 0), (-1, 0), (7, 1)] as [(Double, Double)] {
            let bytes = BusMessage(from: NodeID(bits: 1), .event(.progressed(value), number: 1))
                .bytes
            #expect(
                try BusMessage(reading: try #require(bytes)).content
                    == .event(.progressed(expected), number: 1))
        }
    }
}
