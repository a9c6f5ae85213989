import RefreshBroker
import RefreshProtocol
import Testing

@testable import RefreshCluster

/// The messages of the store of heads. Source: docs/cluster.md, "One holder of a session".
@Suite("Messages of the store")
struct StoreMessageTests {
    private static let own = NodeID(bits: 0x9f86_d081_884c_7d65)
    private let store = HeadStore(cluster: "web", own: Self.own, lifetimeMs: 7_200_000)
    private static let head = SessionHead.of(("a", 2), ("b", 1), received: 0)

    private func text(_ request: StoreRequest) -> String {
        String(decoding: store.message(of: request, number: 7).bytes, as: UTF8.self)
    }

    @Test("Each request has its subject, its text, and a reply subject with its number")
    func requests() {
        let put = StoreRequest.put(
            StoredHead(node: Self.own, Self.head), session: "s1", expecting: 12)
        let subjects = [.info, .create(replicas: 3), .get(session: "s1"), put].map {
            store.message(of: $0, number: 7).subject
        }
        #expect(
            subjects == [
                "$JS.API.STREAM.INFO.KV_refreshd_web", "$JS.API.STREAM.CREATE.KV_refreshd_web",
                "$JS.API.STREAM.MSG.GET.KV_refreshd_web", "$KV.refreshd_web.s1",
            ])
        #expect(text(.info) == "")
        #expect(
            text(.create(replicas: 3))
                == #"{"name":"KV_refreshd_web","subjects":["$KV.refreshd_web.>"],"#
                + #""retention":"limits","max_consumers":-1,"max_msgs":-1,"max_bytes":268435456,"#
                + #""discard":"old","max_age":7200000000000,"max_msgs_per_subject":1,"#
                + #""max_msg_size":4096,"storage":"memory","num_replicas":3,"#
                + #""duplicate_window":120000000000,"allow_rollup_hdrs":true,"deny_delete":true}"#)
        #expect(text(.get(session: "s1")) == #"{"last_by_subj":"$KV.refreshd_web.s1"}"#)
        #expect(
            text(.next(from: 5)) == #"{"seq":5,"next_by_subj":"$KV.refreshd_web.>"}"#)
        #expect(
            text(put)
                == #"{"v":1,"from":"9f86d081884c7d65","head":["a",2,"b",1],"received":0}"#)
        let message = store.message(of: put, number: 7)
        #expect(message.replySubject == "refreshd.web.fence.9f86d081884c7d65.7")
        #expect(message.expectedRevision == 12)
        #expect(store.message(of: .info, number: 7).expectedRevision == nil)
    }

    @Test("The window for equal messages is not longer than the lifetime of an entry")
    func shortLifetime() {
        let store = HeadStore(cluster: "web", own: Self.own, lifetimeMs: 2000)
        let text = String(
            decoding: store.message(of: .create(replicas: 1), number: 1).bytes, as: UTF8.self)
        #expect(text.contains(#""max_age":2000000000,"#))
        #expect(text.contains(#""duplicate_window":2000000000,"#))
    }

    @Test("A received subject is an answer to this node, an entry, or nothing of the store")
    func arrivals() {
        #expect(store.arrival(on: "refreshd.web.fence.9f86d081884c7d65.12") == .reply(12))
        #expect(store.arrival(on: "$KV.refreshd_web.5f0c-_Z") == .entry(session: "5f0c-_Z"))
        let name = String(repeating: "a", count: 64)
        #expect(store.arrival(on: "$KV.refreshd_web." + name) == .entry(session: name))
        for subject in [
            "refreshd.web.all", "refreshd.web.fence.0000000000000001.12",
            "refreshd.web.fence.9f86d081884c7d65.", "refreshd.web.fence.9f86d081884c7d65.-1",
            "refreshd.web.fence.9f86d081884c7d65.99999999999999999999", "$KV.refreshd_web.",
            "$KV.refreshd_web.a.b", "$KV.refreshd_web.a\u{e9}", "$KV.other.a",
            "$KV.refreshd_web.a" + name,
        ] {
            #expect(store.arrival(on: subject) == nil, "\(subject)")
        }
    }

    @Test("An entry is read as it was written")
    func entries() {
        for isRevoked in [false, true] {
            let entry = StoredHead(node: Self.own, Self.head, isRevoked: isRevoked)
            #expect(StoredHead(reading: entry.bytes) == entry)
        }
        let revoked = StoredHead(node: Self.own, Self.head, isRevoked: true)
        #expect(String(decoding: revoked.bytes, as: UTF8.self).hasSuffix(#","revoked":true}"#))
        let longest = SessionHead.of(
            (0..<8).map { ("\($0)" + String(repeating: "l", count: 63), UInt64(1) << 53 - 1) },
            received: 1 << 53 - 1)
        let entry = StoredHead(node: Self.own, longest)
        #expect(entry.bytes.count < StoredHead.bytesMax)
        #expect(StoredHead(reading: entry.bytes) == entry)
    }

    @Test(
        "An entry that is not well formed is not read",
        arguments: [
            "", "[]", "{}", #"{"v":2,"from":"9f86d081884c7d65","head":["a",1],"received":0}"#,
            #"{"v":1,"from":"9f86d081884c7d6","head":["a",1],"received":0}"#,
            #"{"v":1,"from":"9f86d081884c7d65","head":[],"received":0}"#,
            #"{"v":1,"from":"9f86d081884c7d65","head":["a"],"received":0}"#,
            #"{"v":1,"from":"9f86d081884c7d65","head":[1,"a"],"received":0}"#,
            #"{"v":1,"from":"9f86d081884c7d65","head":["a",-1],"received":0}"#,
            #"{"v":1,"from":"9f86d081884c7d65","head":["a",1.5],"received":0}"#,
            #"{"v":1,"from":"9f86d081884c7d65","head":["a",1e300],"received":0}"#,
            #"{"v":1,"from":"9f86d081884c7d65","head":["a",1]}"#,
            #"{"v":1,"from":"9f86d081884c7d65","head":["a",1],"received":-1}"#,
            #"{"v":1,"from":"9f86d081884c7d65","head":["a",1],"received":0,"revoked":1}"#,
            #"{"v":1,"from":"9f86d081884c7d65","received":0}"#,
        ])
    func damagedEntries(text: String) {
        #expect(StoredHead(reading: Array(text.utf8)) == nil)
    }

    @Test("An entry above a limit is not read")
    func longEntries() {
        let line = String(repeating: "l", count: 65)
        let steps = (0..<9).map { #""\#($0)",1"# }.joined(separator: ",")
        let space = String(repeating: " ", count: StoredHead.bytesMax)
        for members in [
            #""head":["\#(line)",1],"received":0"#, #""head":[\#(steps)],"received":0"#,
            #""head":["a",1],"received":0\#(space)"#,
        ] {
            let text = #"{"v":1,"from":"9f86d081884c7d65",\#(members)}"#
            #expect(StoredHead(reading: Array(text.utf8)) == nil)
        }
    }

    @Test("Each answer of JetStream has its meaning")
    func answers() {
        let entry = StoredHead(node: Self.own, Self.head)
        let data = SimulatedStore.base64(entry.bytes)
        let unreadable = StoreAnswer.entry(nil, revision: 4, subject: "s")
        let cases: [(String, StoreAnswer?)] = [
            ("", .unavailable(reason: "The NATS server has no JetStream.")),
            (
                #"{"type":"io.nats.jetstream.api.v1.stream_info_response","config":{},"#
                    + #""created":"2026-11-24T10:00:00Z","state":{"last_seq":7}}"#,
                .bucket(created: "2026-11-24T10:00:00Z", revision: 7)
            ),
            (#"{"error":{"code":404,"err_code":10059,"description":"no"}}"#, .noBucket),
            (#"{"error":{"code":404,"err_code":10037,"description":"no"}}"#, .noEntry),
            (
                #"{"error":{"code":400,"err_code":10071,"description":"x"},"stream":"K","seq":0}"#,
                .otherRevision
            ),
            (
                #"{"error":{"code":503,"err_code":10039,"description":"not enabled"}}"#,
                .unavailable(reason: "JetStream refuses: not enabled.")
            ),
            (#"{"error":{}}"#, .unavailable(reason: "JetStream refuses: .")),
            (#"{"stream":"KV_refreshd_web","seq":4}"#, .written(revision: 4)),
            (
                #"{"message":{"subject":"s","seq":4,"data":"\#(data)"}}"#,
                .entry(entry, revision: 4, subject: "s")
            ),
            (#"{"message":{"subject":"s","seq":4}}"#, unreadable),
            (#"{"message":{"subject":"s","seq":4,"data":"!"}}"#, unreadable),
            (#"{"message":{"subject":"s","seq":4,"data":"AAAA"}}"#, unreadable),
            (#"{"message":{"subject":"s","data":"AAAA"}}"#, nil),
            (#"{"message":{"seq":4}}"#, nil), (#"{"message":{"subject":"s","seq":-1}}"#, nil),
            (#"{"stream":"K","seq":0}"#, nil), (#"{"stream":"K","seq":1e300}"#, nil),
            (#"{"created":"x","state":{}}"#, .bucket(created: "x", revision: 0)),
            (#"{"created":"x"}"#, nil), ("{}", nil), ("[]", nil), ("x", nil),
        ]
        for (text, meaning) in cases {
            #expect(StoreAnswer(reading: Array(text.utf8)) == meaning, "\(text)")
        }
    }

    @Test("An answer above its limit is not read, and a long reason is cut")
    func longAnswers() {
        let long = String(repeating: "r", count: 60_000)
        let refusal = #"{"error":{"description":"\#(long)"}}"#
        #expect(
            StoreAnswer(reading: Array(refusal.utf8))
                == .unavailable(
                    reason: "JetStream refuses: \(String(repeating: "r", count: 200))."))
        let space = String(repeating: " ", count: 65_536)
        #expect(StoreAnswer(reading: Array((#"{"stream":"K","seq":1}"# + space).utf8)) == nil)
        let entry = StoredHead(node: Self.own, Self.head).bytes
        for count in [StoredHead.bytesMax, StoredHead.bytesMax + 1] {
            let padded = entry + Array(repeating: UInt8(ascii: " "), count: count - entry.count)
            let data = SimulatedStore.base64(padded)
            let answer = StoreAnswer(
                reading: Array(
                    #"{"message":{"subject":"s","seq":4,"data":"\#(data)"}}"#.utf8))
            let head = count > StoredHead.bytesMax ? nil : StoredHead(reading: entry)
            #expect(answer == .entry(head, revision: 4, subject: "s"))
        }
    }
}

extension SessionHead {
    /// A head with these lines and their numbers of `welcome` messages.
    static func of(_ steps: (String, UInt64)..., received: UInt64) -> SessionHead {
        of(steps, received: received)
    }

    static func of(_ steps: [(String, UInt64)], received: UInt64) -> SessionHead {
        let history = ResumeHistory(steps.map { ResumeHistory.Step($0.0, $0.1) })
        guard let head = SessionHead(history, received: received) else {
            preconditionFailure("A head has at least one step.")
        }
        return head
    }
}
