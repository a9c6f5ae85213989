import RefreshBroker
import RefreshProtocol
import Testing

@testable import RefreshCluster

/// Changes with operations on items. Source: docs/cluster.md, "Changes".
@Suite("Operations in a cluster")
struct LiveChangeTests {
    private static let other = MachineHarness.other

    private static func reader(_ key: UInt64 = 1) -> ChangeReader {
        ChangeReader(
            feeds: ["news": .init(itemKey: JSONPointer("/id"), parameters: ["q"])],
            hashedBy: SipHash(key: key, 2))
    }

    private static func change(_ report: String, key: UInt64 = 1) throws -> FeedChange {
        try reader(key).change(of: "news", in: Array(report.utf8).span)
    }

    /// The change as it arrives from the other node.
    private static func received(_ report: String) throws -> FeedChange {
        var change = try change(report, key: 7)
        change.reporter = "node \(other.bits)"
        return change
    }

    private static func insertion(_ id: Int, bytes: Int = 0) -> String {
        let text = String(repeating: "x", count: bytes)
        return #"{"operations":[{"insert":{"id":\#(id),"x":"\#(text)"},"at":"start"}]}"#
    }

    private static func settled(changes: [String: UInt64] = [:]) -> MachineHarness {
        var harness = MachineHarness(connectedAt: -10_000)
        harness.reports = reader()
        harness.send(.changeReader(reader(7)))
        harness.join(changes: changes, at: 0)
        return harness
    }

    @Test("Operations are published with their change, and those that wait follow one another")
    func published() throws {
        var harness = Self.settled()
        let first = try Self.change(Self.insertion(1))
        #expect(harness.send(.changed(first), at: 0) == [.toAll(.changed(first, number: 1))])
        var merged = try Self.change(Self.insertion(2))
        #expect(harness.send(.changed(merged), at: 10).isEmpty)
        let last = try Self.change(#"{"operations":[{"remove":1}],"subject":"ann"}"#)
        #expect(harness.send(.changed(last), at: 20).isEmpty)
        merged.add(last)
        #expect(merged.items?.count == 2)
        #expect(harness.advance(to: 100).announcements == [.changed(merged, number: 2)])
    }

    @Test("The receiving node hashes the items with its own key")
    func hashed() throws {
        let report = #"{"operations":[{"update":{"id":"a"}}],"parameters":{"q":"\"x"}}"#
        var harness = Self.settled()
        let outcomes = harness.receive(.changed(try Self.change(report), number: 1), at: 10)
        #expect(outcomes == [.effect(.feedChanged(try Self.received(report)))])
    }

    @Test("A repeated number is ignored, and after a gap a change has no operations")
    func gaps() throws {
        var harness = Self.settled()
        let change = try Self.change(Self.insertion(1))
        #expect(harness.receive(.changed(change, number: 1), at: 10).count == 1)
        #expect(harness.receive(.changed(change, number: 1), at: 20).isEmpty)
        #expect(
            harness.receive(.changed(change, number: 3), at: 30)
                == [.effect(.feedChanged(FeedChange("news")))])
        let next = try Self.received(Self.insertion(2))
        #expect(
            harness.receive(.changed(next, number: 4), at: 40) == [.effect(.feedChanged(next))])
    }

    @Test("Edits of two clients that are sent together are published without operations")
    func unordered() throws {
        var harness = Self.settled()
        let changes = try (1...3).map { number in
            var change = try Self.change(Self.insertion(number))
            change.reporter = "edits of \(number)"
            return change
        }
        let first = try Self.change(Self.insertion(1))
        #expect(harness.send(.changed(changes[0]), at: 0) == [.toAll(.changed(first, number: 1))])
        #expect(harness.send(.changed(changes[1]), at: 10).isEmpty)
        #expect(harness.send(.changed(changes[2]), at: 20).isEmpty)
        let merged = FeedChange("news", count: NewerCount(2))
        #expect(harness.advance(to: 100).announcements == [.changed(merged, number: 2)])
    }

    @Test("Operations that are too large for the bus are left out")
    func tooLarge() throws {
        var harness = Self.settled()
        let plain = FeedChange("news", count: NewerCount(1))
        harness.machine.payloadBytesMax = 10_000
        let large = try Self.change(Self.insertion(1, bytes: 10_000))
        #expect(harness.send(.changed(large), at: 0) == [.toAll(.changed(plain, number: 1))])
        harness.machine.payloadBytesMax = 1_048_576
        #expect(harness.send(.changed(large), at: 200) == [.toAll(.changed(large, number: 2))])
        // The largest report has place in one message, whatever characters it has.
        for character in ["x", "\\\""] {
            let text = String(repeating: character, count: 262_060 / character.utf8.count)
            let largest = try Self.change(
                #"{"operations":[{"insert":{"id":1,"x":"\#(text)"},"at":"start"}]}"#)
            let number: UInt64 = character == "x" ? 3 : 4
            #expect(
                harness.send(.changed(largest), at: Double(number) * 200)
                    == [.toAll(.changed(largest, number: number))])
            let bytes = try #require(
                BusMessage(from: Self.other, .changed(largest, number: number)).bytes)
            #expect(
                try BusMessage(reading: bytes, reports: Self.reader()).content
                    == .changed(largest, number: number))
        }
    }

    @Test(
        "A node that cannot read the operations receives a change without them",
        arguments: [
            #"[{"operations":[{"remove":1}]}]"#, #"[{"operations":[{"remove":1.5}]}]"#, "[]", "x",
            "", "7", "[1]", "null",
        ])
    func unread(operations: String) throws {
        let text =
            #"{"v":1,"type":"changed","from":"000000000000000a","feed":"news","number":18,"#
            + #""count":3}"# + "\n" + operations
        let read = try BusMessage(reading: Array(text.utf8)).content
        #expect(read == .changed(FeedChange("news", count: NewerCount(3)), number: 18))
        let known = try BusMessage(reading: Array(text.utf8), reports: Self.reader()).content
        let isReport = operations.hasPrefix("[{") && !operations.contains("1.5")
        #expect((known == read) != isReport)
    }

    @Test("The parameters and the subjects of merged changes count towards their bound")
    func mergedBound() throws {
        let text = String(repeating: "x", count: 1000)
        let report = { (number: Int) in
            try Self.change(
                #"{"operations":[{"remove":1}],"parameters":{"q":"\#(number)"},"subject":"\#(text)"}"#
            )
        }
        var merged = try report(0)
        var count = 1
        while merged.items != nil, count < 256 {
            merged.add(try report(count))
            count += 1
        }
        // Each report has 1,066 bytes or a few more.
        #expect(merged.items == nil && (240...250).contains(count))
    }

    @Test("The operations follow the first line, byte for byte")
    func written() throws {
        let change = try Self.change(#"{"operations":[{"update":{"id":1,"x":[[[[[[[]]]]]]]}}]}"#)
        let message = BusMessage(from: Self.other, .changed(change, number: 5))
        let bytes = try #require(message.bytes)
        #expect(
            String(decoding: bytes, as: UTF8.self).hasSuffix(
                #""count":0}"# + "\n"
                    + #"[{"operations":[{"update":{"id":1,"x":[[[[[[[]]]]]]]}}]}]"#))
        #expect(try BusMessage(reading: bytes, reports: Self.reader()) == message)
        #expect(
            try BusMessage(reading: bytes).content
                == .changed(FeedChange("news", count: .none), number: 5))
    }
}
