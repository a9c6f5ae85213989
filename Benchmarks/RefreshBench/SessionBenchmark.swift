import RefreshBroker
import RefreshProtocol
import RefreshServer
import RefreshSession

/// Measures all work of refreshd for a message without the socket: from the received bytes to the
/// bytes of the answer.
struct SessionBenchmark {
    private static let hello = """
        {"type":"hello","protocol":1,"client":"bench","views":[{"view":"list",\
        "profile":"iqpulltorefresh","geometry":{"viewport":{"width":390,"height":800},\
        "content":{"width":390,"height":4000},"scale":3}}]}
        """

    /// The number of digits of `seq`. It is fixed, so that the text of a sample is changed in place
    /// without allocations. The first digit is 1, because a JSON number has no leading zero.
    private static let seqDigits = 10

    static func run() throws -> Measurement {
        let channel = CountingChannel()
        let services = SessionServices(
            limits: Limits(), feeds: [], loads: NoLoads(), metrics: SessionMetrics(feeds: []))
        let session = Session(
            key: SessionKey(loop: 0, slot: 0, generation: 0), name: "bench", channel: channel,
            services: services, now: .origin)
        session.receive(Array(hello.utf8).span, at: .origin)
        guard channel.frames == 1 else {
            throw BenchmarkError.unexpected("hello was answered by \(channel.frames) frames")
        }
        let seqStart = #"{"type":"scroll","view":"list","seq":"#.utf8.count
        var texts = Pull.offsets.map { offset in
            let seq = "1" + String(repeating: "0", count: seqDigits - 1)
            return Array(
                #"{"type":"scroll","view":"list","seq":\#(seq),"t":81532.7,"offset":\#(offset),"phase":"dragging"}"#
                    .utf8)
        }
        channel.frames = 0
        let measurement = Measurement(warmup: 10_000, count: 1_000_000, rounds: 5) { item in
            let index = item % texts.count
            write(item, at: seqStart, to: &texts[index])
            let text = texts[index]
            session.receive(
                text.span, at: Instant(microseconds: Int64(item + 1) * Pull.interval))
        }
        guard channel.frames == 10_000 + 5 * 1_000_000 else {
            throw BenchmarkError.unexpected("the session sent \(channel.frames) updates")
        }
        return measurement
    }

    /// Replaces the digits of the `seq` that begins at `start` by `number`. Only the first digit
    /// stays.
    private static func write(_ number: Int, at start: Int, to text: inout [UInt8]) {
        var rest = number
        for position in stride(from: start + seqDigits - 1, to: start, by: -1) {
            text[position] = 0x30 + UInt8(rest % 10)
            rest /= 10
        }
    }
}
