import RefreshProtocol
import Testing

@testable import LoadTesting

@Suite("The lists that clients of load tests have received")
struct ReceivedListTests {
    /// A record of a session with the view `a`, which has received 10 items.
    private static func record() throws -> ResumeRecord {
        var record = ResumeRecord()
        let frame =
            #"[{"type":"welcome","session":"s1","token":"t1"},{"type":"attached","view":"a"},"#
            + #"{"type":"update","view":"a","ack":1,"list":{"count":10,"more":true}},"#
            + items(load: 1, mode: "replace", count: 10) + "]"
        #expect(try apply(frame, to: &record) == [.fresh(reason: nil)])
        return record
    }

    private static func apply(
        _ frame: String, to record: inout ResumeRecord
    ) throws -> [ResumeRecord.Finding] {
        let value = try JSONValue(parsing: frame)
        return record.apply(value.array ?? [value])
    }

    private static func items(load: Int, mode: String, count: Int) -> String {
        #"{"type":"items","view":"a","load":"1.\#(load)","mode":"\#(mode)","count":\#(count)}"#
    }

    private static func update(count: Int, ack: Int) -> String {
        #"{"type":"update","view":"a","ack":\#(ack),"list":{"count":\#(count),"more":true}}"#
    }

    private static func send(_ text: String, seq: Int, in record: inout ResumeRecord) throws {
        record.recordSent(LoadMessage(try JSONValue(parsing: text)), seq: seq, clockMs: 0)
    }

    private static let resumed = #"{"type":"welcome","session":"s1","token":"t2","resumed":true}"#

    @Test("A page is added to a list at either end", arguments: ["append", "prepend"])
    func pages(mode: String) throws {
        var record = try Self.record()
        let frame =
            "[\(Self.update(count: 15, ack: 2)),\(Self.items(load: 2, mode: mode, count: 5))]"
        #expect(try Self.apply(frame, to: &record).isEmpty)
        #expect(try Self.apply(Self.update(count: 14, ack: 3), to: &record) == [.itemsMissing])
    }

    @Test(
        "After a message that discards the pages, an empty list is not missing items",
        arguments: [
            #"{"type":"reset","view":"a","seq":1}"#,
            #"{"type":"configure","view":"a","seq":1,"parameters":{"q":"b"},"shown":"clear"}"#,
        ])
    func discarded(message: String) throws {
        var record = try Self.record()
        try Self.send(message, seq: 5, in: &record)
        // The daemon has not handled the message.
        #expect(try Self.apply(Self.update(count: 0, ack: 4), to: &record) == [.itemsMissing])
        record = try Self.record()
        try Self.send(message, seq: 5, in: &record)
        #expect(try Self.apply(Self.update(count: 10, ack: 4), to: &record).isEmpty)
        #expect(try Self.apply(Self.update(count: 0, ack: 5), to: &record).isEmpty)
        // The next page replaces the list. After it, the list must not become empty.
        let page =
            "[\(Self.update(count: 3, ack: 6)),\(Self.items(load: 2, mode: "replace", count: 3))]"
        #expect(try Self.apply(page, to: &record).isEmpty)
        #expect(try Self.apply(Self.update(count: 0, ack: 7), to: &record) == [.itemsMissing])
    }

    @Test("Messages that discard no pages do not explain an empty list")
    func notDiscarded() throws {
        var record = try Self.record()
        let others = [
            #"{"type":"configure","view":"a","seq":1,"top":{"length":80}}"#,
            #"{"type":"reset","view":"b","seq":1}"#, #"{"type":"refresh","view":"a","seq":1}"#,
        ]
        for message in others { try Self.send(message, seq: 5, in: &record) }
        #expect(try Self.apply(Self.update(count: 0, ack: 5), to: &record) == [.itemsMissing])
    }

    @Test("An update without a list does not hide the number of items in the same frame")
    func laterUpdate() throws {
        var record = try Self.record()
        let other = #"{"type":"update","view":"a","ack":3,"top":{"state":"idle"}}"#
        let frame = "[\(Self.update(count: 12, ack: 2)),\(other)]"
        #expect(try Self.apply(frame, to: &record) == [.itemsMissing])
        #expect(try Self.apply(other, to: &record).isEmpty)
    }

    @Test("A resumed view without a list has lost its items, unless its client has discarded them")
    func resumedWithoutList() throws {
        let frame =
            "[\(Self.resumed)," + #"{"type":"attached","view":"a"},"#
            + #"{"type":"update","view":"a","ack":5,"top":{"state":"idle"}}]"#
        var record = try Self.record()
        #expect(try Self.apply(frame, to: &record) == [.resumed, .itemsMissing])
        record = try Self.record()
        try Self.send(#"{"type":"reset","view":"a","seq":1}"#, seq: 5, in: &record)
        #expect(String(decoding: record.helloMembers(), as: UTF8.self).contains(#"["1.1"]"#))
        #expect(try Self.apply(frame, to: &record) == [.resumed])
        #expect(String(decoding: record.helloMembers(), as: UTF8.self).contains("[]"))
        // Only the first update has the whole state.
        #expect(
            try Self.apply(#"{"type":"update","view":"a","top":{"state":"idle"}}"#, to: &record)
                .isEmpty)
    }

    @Test("A load is compared with the last 64 loads of its view, and with no more")
    func boundedLoads() {
        var list = ReceivedList()
        let loads = (0...ReceivedList.loadsMax).map { "1.\($0)" }
        func isRepeated(_ load: String) -> Bool {
            list.apply(load: load, mode: "replace", count: 1)
        }
        for load in loads { #expect(!isRepeated(load)) }
        for load in loads.dropFirst() { #expect(isRepeated(load)) }
        #expect(!isRepeated(loads[0]))
    }

    @Test(
        "A number that the protocol does not allow is found, and changes nothing",
        arguments: ["-1", "1e300", "-1e300", "0.5", "9007199254740992", #""7""#, "null"])
    func numbers(number: String) throws {
        var record = try Self.record()
        let before = record.helloMembers()
        let frames = [
            #"{"type":"update","view":"a","ack":\#(number)}"#,
            #"{"type":"update","view":"a","list":{"count":\#(number),"more":true}}"#,
            #"[{"type":"pong","ack":\#(number)},{"type":"update","view":"a","ack":\#(number)}]"#,
        ]
        for frame in frames {
            #expect(try Self.apply(frame, to: &record) == [.invalidNumber])
        }
        #expect(record.helloMembers() == before)
        let items =
            #"{"type":"items","view":"a","load":"1.2","mode":"append","count":\#(number)}"#
        #expect(try Self.apply(items, to: &record) == [.invalidNumber])
        #expect(try Self.apply(Self.update(count: 10, ack: 2), to: &record).isEmpty)
        let welcome =
            #"{"type":"welcome","session":"s1","token":"t2","resumed":true,"heartbeat":\#(number)}"#
        #expect(try Self.apply(welcome, to: &record) == [.invalidNumber, .resumed])
        #expect(record.heartbeat == nil)
    }

    @Test("The largest numbers of the protocol cause no overflow")
    func largest() throws {
        var record = try Self.record()
        let largest = 9_007_199_254_740_991
        for load in 0..<2_000 {
            let items = Self.items(load: load, mode: "append", count: largest)
            _ = try Self.apply(items, to: &record)
        }
        #expect(
            try Self.apply(Self.update(count: largest, ack: largest), to: &record)
                == [.itemsMissing])
        let welcome =
            #"{"type":"welcome","session":"s1","token":"t2","resumed":true,"#
            + #""heartbeat":\#(largest)}"#
        #expect(try Self.apply(welcome, to: &record) == [.resumed])
        #expect(record.heartbeat == Int64(largest) * 1_000)
    }
}
