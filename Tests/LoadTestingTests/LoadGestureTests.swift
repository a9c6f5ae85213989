import RefreshProtocol
import Testing

@testable import LoadTesting

@Suite("The gestures of a load test")
struct LoadGestureTests {
    private static func gesture(
        _ name: String, _ identity: LoadGesture.Identity = .init()
    ) throws -> LoadGesture {
        let trace = try #require(TouchTrace.all.first { $0.name == name })
        return try LoadGesture(trace, as: identity)
    }

    /// Returns the text of the frame that a client of a load test sends.
    private static func text(
        _ frame: LoadFrame, seq: inout Int, clockMs: Double = 0, ping: Int = 0
    ) -> String {
        var buffer = ByteBuffer()
        frame.write(into: &buffer, seq: &seq, clockMs: clockMs, ping: ping)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    @Test(
        "Every trace becomes a gesture, without the messages about the recorded connection",
        arguments: TouchTrace.all.map(\.name))
    func all(name: String) throws {
        let gesture = try Self.gesture(name)
        #expect(gesture.frames.count >= 3)
        #expect(gesture.duration > 50_000)
        #expect(zip(gesture.frames, gesture.frames.dropFirst()).allSatisfy { $0.at <= $1.at })
        var seq = 0
        for (index, frame) in ([gesture.hello] + gesture.frames).enumerated() {
            let before = seq
            let text = Self.text(frame, seq: &seq, clockMs: 5000, ping: index)
            let messages = try #require(try JSONValue(parsing: text).array)
            #expect(
                messages.last
                    == .object([.init("type", .string("ping")), .init("t", .number(Double(index)))])
            )
            let numbers = messages.compactMap { $0["seq"]?.number.map { Int($0) } }
            #expect(numbers == Array((before + 1)..<(before + 1 + numbers.count)))
            let types = messages.dropLast().compactMap { $0["type"]?.string }
            #expect(!types.contains("ping") && !types.contains("bye"))
            #expect(types.contains("hello") == (index == 0))
        }
    }

    @Test("A gesture begins with the layout of the list, and its times start at 0")
    func beginning() throws {
        let gesture = try Self.gesture("slow-pull.stream")
        var seq = 6
        let lies = try #require(
            try JSONValue(parsing: Self.text(gesture.frames[0], seq: &seq)).array?.first)
        #expect(lies["type"] == .string("geometry"))
        #expect(lies["seq"] == .number(7))
        #expect(lies["offset"] == .number(0))
        #expect(lies["content"]?["height"] == .number(1088))
        #expect(lies["viewport"]?["height"] == .number(720))
        let pull = try #require(
            try JSONValue(parsing: Self.text(gesture.frames[1], seq: &seq, clockMs: 1000))
                .array?.first)
        #expect(pull["type"] == .string("pan"))
        #expect(pull["phase"] == .string("began"))
        #expect(pull["t"] == .number(1000))
        #expect(gesture.frames[1].at == 0)
    }

    @Test("Views and `hello` use the feed and the token of the load test")
    func identity() throws {
        let gesture = try Self.gesture("wheel.stream", .init(feed: "songs", token: "secret"))
        var seq = 0
        let text = Self.text(gesture.hello, seq: &seq)
        let hello = try #require(try JSONValue(parsing: text).array?.first)
        #expect(hello["token"] == .string("secret"))
        #expect(hello["views"]?.array?.first?["feed"] == .string("songs"))
        #expect(!text.contains("packages"))
    }

    @Test("Traces with the same mode `frames` are of the same kind, whatever their window sizes")
    func kinds() throws {
        let pull = try Self.gesture("slow-pull.stream")
        #expect(try Self.gesture("wheel.stream").kind == pull.kind)
        #expect(try Self.gesture("slow-pull.local").kind != pull.kind)
    }

    @Test("A file that is not a journal, or that has no action on a list, is refused with a reason")
    func unusable() throws {
        let nothing = TouchTrace(name: "n", bytes: [])
        #expect(throws: LoadGesture.Unusable.self) { try LoadGesture(nothing) }
        #expect(throws: LoadGesture.Unusable.self) { try TouchTrace(file: "/nonexistent.jsonl") }
        let whole = try #require(TouchTrace.all.first)
        let text = String(decoding: whole.bytes, as: UTF8.self)
        let hello = text.split(separator: "\n").prefix(2).joined(separator: "\n") + "\n"
        let failure = #expect(throws: LoadGesture.Unusable.self) {
            try LoadGesture(TouchTrace(name: "idle", bytes: Array(hello.utf8)))
        }
        #expect(failure?.description == "idle: contains no action on a list")
    }
}
