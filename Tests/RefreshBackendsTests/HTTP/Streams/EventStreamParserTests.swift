import Testing
import Workbench

@testable import RefreshBackends

@Suite("Parsing event streams")
struct EventStreamParserTests {
    /// What a parser has found.
    private struct Outcome: Equatable {
        var events: [String] = []
        var lastID = ""
        var retryMs: Int?
        var isTooLarge = false
    }

    private static func outcome(of pieces: [[UInt8]]) -> Outcome {
        var parser = EventStreamParser()
        var events: [[UInt8]] = []
        var outcome = Outcome()
        do throws(EventStreamParser.Overflow) {
            for piece in pieces { try parser.read(piece.span, into: &events) }
        } catch {
            outcome.isTooLarge = true
        }
        outcome.events = events.map { String(decoding: $0, as: UTF8.self) }
        outcome.lastID = String(decoding: parser.lastID, as: UTF8.self)
        outcome.retryMs = parser.retryMs
        return outcome
    }

    private static func outcome(of text: String) -> Outcome { outcome(of: [Array(text.utf8)]) }

    @Test(
        "Lines end with CR, LF or CRLF, and an empty line ends an event",
        arguments: [
            ("data: a\n\ndata:b\n\n", ["a", "b"]), ("data: a\r\rdata:b\r\r", ["a", "b"]),
            ("data: a\r\n\r\ndata:b\r\n\r\n", ["a", "b"]), ("data: a\n\rdata:b\r\n\r", ["a", "b"]),
            ("data:  a \n\n", [" a "]), ("data: a\ndata: b\n\n", ["a\nb"]),
            ("data\n\n", [""]), ("data:\ndata\n\n", ["\n"]), (":\n\n", []), ("\n\n\n", []),
            ("event: x\n\n", []), ("event: x\ndata: a\nother: b\n: c\n\n", ["a"]),
            ("data: a\n", []), ("data: a", []), ("\u{FEFF}data: a\n\n", ["a"]),
            ("\u{FEFF}\u{FEFF}data: a\n\n", []), ("data: a\n\n\u{FEFF}data: b\n\n", ["a"]),
            (" data: a\n\n", []), ("Data: a\n\n", []), ("data:a:b\n\n", ["a:b"]),
        ])
    func events(text: String, events: [String]) {
        #expect(Self.outcome(of: text).events == events)
    }

    @Test(
        "The identity of an event counts from its end, and one with NUL is ignored",
        arguments: [
            ("id: 7\ndata: a\n\n", "7"), ("id: 7\ndata: a\n", ""), ("id: 7\n\n", "7"),
            ("id: 7\n\nid\n\n", ""), ("id: 7\n\nid: a\0b\n\n", "7"), ("id: 7\n\nid: é \n\n", ""),
            ("id:  7\n\n", ""), ("id: é x\n\n", "é x"),
            ("id: 7\n\nid: a\tb\n\n", ""), ("id: 7\n\ndata: x\n\n", "7"),
        ])
    func identities(text: String, id: String) {
        #expect(Self.outcome(of: text).lastID == id)
    }

    @Test("An identity that no header may contain is the same as none")
    func longIdentity() {
        let longest = String(repeating: "x", count: 1024)
        #expect(Self.outcome(of: "id: \(longest)\n\n").lastID == longest)
        #expect(Self.outcome(of: "id: 7\n\nid: \(longest)x\n\n").lastID == "")
    }

    @Test(
        "The time before a new connection consists of digits, and is 1000 to 60000 ms",
        arguments: [
            ("retry: 5000\n", 5000), ("retry:0\n", 1000), ("retry: 99999999999999999999\n", 60_000),
            ("retry: 5s\n", nil), ("retry: -5\n", nil), ("retry\n", nil), ("retry: 5", nil),
            ("retry: ٥\n", nil), ("retry: 1500\nretry: x\n", 1500), ("retry: 999\n", 1000),
        ] as [(String, Int?)])
    func retry(text: String, ms: Int?) {
        #expect(Self.outcome(of: text).retryMs == ms)
    }

    @Test("A line and the data of an event have at most 262,144 bytes")
    func bounds() {
        func text(_ count: Int) -> String { String(repeating: "x", count: count) }
        let longest = "data:" + text(262_139)
        #expect(Self.outcome(of: longest + "\n\n").events == [text(262_139)])
        #expect(Self.outcome(of: longest + "x").isTooLarge)
        #expect(Self.outcome(of: ":" + text(262_144)).isTooLarge)
        let whole = longest + "\ndata:" + text(4)
        #expect(Self.outcome(of: whole + "\n\n").events.first?.utf8.count == 262_144)
        #expect(Self.outcome(of: whole + "x\n\n").isTooLarge)
        #expect(Self.outcome(of: longest + "\n\n" + longest + "\n\n").events.count == 2)
    }

    @Test("An event is the same wherever the stream is divided")
    func cuts() {
        let text = Array(
            "\u{FEFF}id: 1\r\ndata: é\r\ndata: b\r\n\r\nretry: 4000\r:c\r\rdata\n\n".utf8)
        let whole = Self.outcome(of: [text])
        #expect(whole == Outcome(events: ["é\nb", ""], lastID: "1", retryMs: 4000))
        for first in text.indices {
            for second in first...text.count {
                let pieces = [
                    Array(text[..<first]), Array(text[first..<second]), Array(text[second...]),
                ]
                #expect(Self.outcome(of: pieces) == whole)
            }
        }
    }

    @Test(
        "Any bytes in any pieces have the outcome of the whole",
        arguments: 0..<200 as Range<UInt64>)
    func property(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let parts = [
            "data", "id", "retry", "event", ":", " ", "\n", "\r", "\r\n", "\n\n", "\0", "7", "{}",
            "\u{FEFF}", "é", "x",
        ]
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 0..<80, using: &generator) {
            bytes += Array((parts.randomElement(using: &generator) ?? "").utf8)
        }
        var pieces: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Int.random(in: 1...7, using: &generator)
            pieces.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        #expect(Self.outcome(of: pieces) == Self.outcome(of: [bytes]), "seed \(seed)")
    }
}
