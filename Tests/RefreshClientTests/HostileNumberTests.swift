import RefreshProtocol
import Testing
import Workbench

@testable import RefreshClient

/// Numbers that a daemon must not send. A trap ends the test process.
struct HostileNumberTests {
    static let welcome = #"""
        {"type":"welcome","protocol":1,"session":"a","token":"b","resumed":false,"ack":0,\#
        "time":1,"heartbeat":25000,"limits":{"batchMessagesMax":64,"frameBytesMax":65536,\#
        "gestureSilenceMs":5000}}
        """#
    static let attached = #"""
        {"type":"attached","view":"list","ack":0,"generation":1,"top":{"role":"refresh",\#
        "state":"idle","progress":0,"trigger":60},"bottom":{"role":"loadMore","state":"idle",\#
        "indicator":{"progress":0,"alpha":0,"scale":1,"rotation":0,"spin":0}},"inset":{"top":0,\#
        "bottom":0,"duration":0}}
        """#
    /// One message of each type that the daemon sends, with all numeric fields that a client reads.
    static let messages = [
        welcome, attached,
        #"""
        {"type":"update","view":"list","ack":1,"top":{"state":"pulling","progress":0.5,\#
        "indicator":{"progress":0.5,"alpha":0.5,"scale":1,"rotation":0,"spin":1}},\#
        "inset":{"top":60,"bottom":0,"duration":250,"start":5,"curve":"easeOut"},\#
        "offset":{"to":-60,"duration":250,"start":5,"path":[[0,-80],[100,-70],[200,-60]]},\#
        "list":{"count":16,"more":true},"newer":true,"newerCount":3,"lastUpdated":5,\#
        "floor":{"state":"pulling","progress":0.5}}
        """#,
        #"""
        {"type":"loading","view":"list","load":"1.1","kind":"refresh","phase":"began",\#
        "ack":1,"page":1,"attempt":1,"start":1,"deadlineMs":30000}
        """#,
        #"""
        {"type":"load","view":"list","load":"1.1","kind":"refresh","ack":1,"page":1,\#
        "offset":0,"size":16,"attempt":1,"deadlineMs":30000}
        """#,
        #"""
        {"type":"items","view":"list","load":"1.1","mode":"replace","ack":1,"count":2,\#
        "page":1,"items":[{"id":1},{"id":2}],"more":true}
        """#,
        #"""
        {"type":"loading","view":"list","load":"1.1","kind":"more","phase":"failed","ack":1,\#
        "attempt":1,"retryInMs":100}
        """#,
        #"{"type":"snapshot","ack":1,"expires":3600000,"sealed":"v2.a.b"}"#,
        #"{"type":"pong","t":1,"time":1,"ack":1}"#,
        #"{"type":"draining","closes":2500}"#,
        #"""
        {"type":"error","code":"staleSequence","message":"m","view":"list","seq":1,\#
        "retryAfterMs":5}
        """#,
        #"{"type":"diagnostic","code":"ignoredField","message":"m","view":"list","seq":1}"#,
    ]
    static let numbers = [
        -1, -0.0, 0, 0.5, -1e-300, 1e-300, 1e9, -1e9, 2_147_483_648, 9_007_199_254_740_992,
        9_223_372_036_854_775_808, 18_446_744_073_709_551_616, -9_223_372_036_854_777_856, 1e19,
        1e300, -1e300, Double.greatestFiniteMagnitude, -Double.greatestFiniteMagnitude,
    ]

    /// A client with a session, which has sent two messages.
    private static func machine() -> ClientMachine {
        var machine = ClientMachine.opened()
        _ = machine.received(welcome, at: 1)
        _ = machine.received(attached, at: 1)
        for type in ["refresh", "loadMore"] {
            _ = machine.perform([ClientMachine.message(type, "list")], at: 2)
        }
        return machine
    }

    /// Passes a message to a client, lets it lose its connection and come back, and reads what it
    /// shows meanwhile.
    private static func run(_ messages: [JSONValue], _ note: String) {
        var random = SeededGenerator(seed: 1)
        var machine = machine()
        for message in messages { _ = machine.received(message.text, at: 10) }
        check(machine, at: 20, note)
        _ = machine.timePassed(at: 30_000)
        _ = machine.ended(code: 1006, at: 40_000, random: &random)
        check(machine, at: 40_001, note)
        _ = machine.timePassed(at: 80_000)
        _ = machine.opened(at: 80_001)
        _ = machine.received(welcome, at: 80_002)
        for message in messages { _ = machine.received(message.text, at: 80_003) }
        check(machine, at: 80_004, note)
    }

    private static func check(_ machine: ClientMachine, at now: Double, _ note: String) {
        for view in machine.state.views.values {
            let motions = [view.offset] + Array(view.insets.values)
            for motion in motions {
                #expect(motion.value(at: now).isFinite, "\(note)")
                #expect((0...JSONValue.durationMax).contains(motion.duration), "\(note)")
                #expect(motion.path.count < 10_000, "\(note)")
            }
            for count in [view.count, view.newerCount].compactMap({ $0 }) {
                #expect((0...JSONValue.countMax).contains(count), "\(note)")
            }
        }
        #expect(machine.link.ack <= 1 << 53, "\(note)")
        #expect(SessionLink.heartbeatRange.contains(machine.link.heartbeat), "\(note)")
    }

    /// The message with its numbers replaced, as `replace` decides by the position of each number.
    private static func replacing(
        _ value: JSONValue, _ position: inout Int, by replace: (Int) -> Double?
    ) -> JSONValue {
        switch value {
        case .number(let number):
            defer { position += 1 }
            return .number(replace(position) ?? number)
        case .array(let values):
            var replaced: [JSONValue] = []
            for value in values { replaced.append(replacing(value, &position, by: replace)) }
            return .array(replaced)
        case .object(let members):
            var replaced: [JSONValue.Member] = []
            for member in members {
                replaced.append(
                    .init(member.name, replacing(member.value, &position, by: replace)))
            }
            return .object(replaced)
        case .null, .bool, .string: return value
        }
    }

    @Test(
        "No number in any field of a message ends the client or makes it spin",
        arguments: messages)
    func oneField(_ text: String) throws {
        let message = try JSONValue(parsing: text)
        var count = 0
        _ = Self.replacing(message, &count) { _ in nil }
        for field in 0..<count {
            for number in Self.numbers {
                var position = 0
                let hostile = Self.replacing(message, &position) { $0 == field ? number : nil }
                Self.run([hostile], hostile.text)
            }
        }
    }

    @Test("No sequence of messages with such numbers ends the client or makes it spin")
    func sequences() throws {
        let messages = try Self.messages.map { try JSONValue(parsing: $0) }
        for seed in UInt64(0)..<200 {
            var random = SeededGenerator(seed: seed)
            let sequence = (0..<8).map { _ in
                var position = 0
                let message = messages[Int.random(in: 0..<messages.count, using: &random)]
                return Self.replacing(message, &position) { _ in
                    Bool.random(using: &random)
                        ? Self.numbers[Int.random(in: 0..<Self.numbers.count, using: &random)]
                        : nil
                }
            }
            Self.run(sequence, "seed \(seed)")
        }
    }

    @Test(
        "A heartbeat outside its range counts as the nearest one in it",
        arguments: [(-5.0, 100.0), (0, 100), (1e300, 600_000), (2000, 2000)])
    func heartbeat(_ sent: Double, _ used: Double) {
        var machine = ClientMachine.opened()
        var welcome = JSONValue.object([.init("type", .string("welcome"))])
        welcome["heartbeat"] = .number(sent)
        _ = machine.received(welcome.text, at: 1)
        #expect(machine.nextDeadline == used)
    }
}
