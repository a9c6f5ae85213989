import RefreshConfiguration
import RefreshProtocol
import RefreshServer
import RefreshSession
import SessionBench
import Testing

/// Limits of a client's messages, tested at the limit and one unit above it.
@Suite("Limits of messages")
struct MessageLimitTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let limit: String
        let value: Int
        let fault: FaultCode
        /// Returns a frame with `count` units of the limit, such as bytes, levels, members or
        /// points.
        let frame: @Sendable (_ count: Int) -> String
        var isBeforeHello = false

        var testDescription: String { limit }
    }

    private static func list(_ count: Int, _ item: (Int) -> String) -> String {
        (0..<count).map(item).joined(separator: ",")
    }

    static let cases = [
        Case(limit: "jsonDepthMax", value: 8, fault: .depthExceeded) { depth in
            let inner = depth - 1
            return #"{"type":"ping","t":1,"x":"# + String(repeating: "[", count: inner)
                + String(repeating: "]", count: inner) + "}"
        },
        Case(limit: "stringBytesMax", value: 64, fault: .stringTooLong) { bytes in
            #"{"type":"ping","t":1,"x":""# + String(repeating: "y", count: bytes) + #""}"#
        },
        Case(limit: "batchMessagesMax", value: 3, fault: .batchTooLong) { count in
            "[" + list(count) { _ in #"{"type":"ping","t":1}"# } + "]"
        },
        Case(limit: "parametersMax", value: 1, fault: .valueOutOfRange) { count in
            #"{"type":"attach","view":"b","seq":9,"profile":"uikit","feed":"songs","parameters":{"#
                + list(count) { $0 == 0 ? #""q":"1""# : #""p\#($0)":"1""# } + "}}"
        },
        Case(
            limit: "headersMax", value: 2, fault: .valueOutOfRange,
            frame: { count in
                #"{"type":"hello","protocol":1,"headers":{"#
                    + list(count) { #""x-\#($0)":"1""# } + "}}"
            }, isBeforeHello: true),
        Case(
            limit: "batchMessagesMax", value: 2, fault: .batchTooLong,
            frame: { count in
                #"{"type":"hello","protocol":1,"views":["#
                    + list(count) { #"{"view":"v\#($0)","profile":"uikit"}"# } + "]}"
            }, isBeforeHello: true),
        Case(
            limit: "tokenBytesMax", value: 100, fault: .stringTooLong,
            frame: { bytes in
                #"{"type":"hello","protocol":1,"token":""# + String(repeating: "t", count: bytes)
                    + #""}"#
            }, isBeforeHello: true),
        Case(limit: "geometryPointsMax", value: 20_000, fault: .valueOutOfRange) { points in
            #"{"type":"scroll","view":"list","seq":9,"phase":"began","offset":\#(points)}"#
        },
        Case(limit: "geometryPointsMax", value: 20_000, fault: .valueOutOfRange) { points in
            #"{"type":"scroll","view":"list","seq":9,"phase":"began","offset":-\#(points)}"#
        },
        Case(limit: "geometryPointsMax", value: 20_000, fault: .valueOutOfRange) { points in
            #"{"type":"geometry","view":"list","seq":9,"content":{"width":1,"height":\#(points)}}"#
        },
        Case(limit: "velocityMax", value: 20_000, fault: .valueOutOfRange) { velocity in
            #"{"type":"scroll","view":"list","seq":9,"phase":"ended","offset":0,"velocity":-\#(velocity)}"#
        },
        Case(limit: "pageSizeMax", value: 20, fault: .valueOutOfRange) { size in
            #"{"type":"configure","view":"list","seq":9,"paging":{"size":\#(size)}}"#
        },
    ]

    /// Returns the codes of the errors in the answer.
    private static func faults(_ test: Case, _ count: Int) throws -> [String] {
        var limits = Limits()
        let entry = try #require(Limits.table.first { $0.name == test.limit })
        limits[keyPath: entry.path] = test.value
        let tester = SessionTester(limits: limits)
        if !test.isBeforeHello { tester.open() }
        return tester.send(test.frame(count)).compactMap { $0["code"]?.string }
    }

    @Test(
        "A message at a limit is handled, and one unit more causes a fault", arguments: cases)
    func message(_ test: Case) throws {
        #expect(try Self.faults(test, test.value) == [])
        #expect(try Self.faults(test, test.value + 1) == [test.fault.rawValue])
    }

    @Test(
        "viewsPerSessionMax: one view above the limit is refused, and the session continues"
    )
    func views() {
        var limits = Limits()
        limits.viewsPerSessionMax = 3
        let tester = SessionTester(limits: limits)
        tester.open()
        func attach(_ number: Int) -> JSONValue? {
            tester.send(
                #"{"type":"attach","view":"v\#(number)","seq":\#(number),"profile":"uikit"}"#
            ).first
        }
        #expect(attach(2)?["type"]?.string == "attached")
        #expect(attach(3)?["type"]?.string == "attached")
        #expect(attach(4)?["code"]?.string == "tooManyViews")
        #expect(tester.channel.closed == nil)
        #expect(tester.metrics.snapshot.count(of: .tooManyViews) == 1)
    }

    @Test(
        "faultBudgetMax: one fault above the budget closes the session with 4002; the budget grows by one each second"
    )
    func faults() {
        var limits = Limits()
        limits.faultBudgetMax = 3
        let tester = SessionTester(limits: limits)
        tester.open()
        for _ in 0..<3 { tester.send("{") }
        #expect(tester.channel.closed == nil)
        tester.now = Instant(milliseconds: 1000)
        tester.send("{")
        #expect(tester.channel.closed == nil)
        let codes = tester.send("{").compactMap { $0["code"]?.string }
        #expect(codes == ["malformedJSON", "tooManyFaults"])
        #expect(tester.channel.closed == .tooManyFaults)
    }

    @Test(
        "heartbeatMs: the client receives the interval of pings, and the idle timeout is longer than two intervals"
    )
    func heartbeat() {
        let limits = Limits()
        let tester = SessionTester(limits: limits)
        let welcome = tester.send(#"{"type":"hello","protocol":1}"#).first
        #expect(welcome?["limits"]?["heartbeatMs"]?.number == Double(limits.heartbeatMs))
        #expect(limits.idleTimeoutMs == 0 || limits.idleTimeoutMs > 2 * limits.heartbeatMs)
    }
}
