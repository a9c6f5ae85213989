import RefreshProtocol
import TouchTraces

/// A gesture of a touch trace: the messages of the client that recorded it.
struct Gesture: CustomStringConvertible, Sendable {
    let name: String
    /// The body of the view.
    let body: JSONValue
    /// The messages about the view with their times, in milliseconds after the first one.
    let messages: [(time: Double, message: JSONValue)]

    var description: String { name }

    /// The gestures of clients that send all samples of a finger.
    static let all: [Gesture] = (0..<touch_trace_count()).compactMap { index in
        let trace = unsafe touch_trace_at(index)
        let name = unsafe String(cString: trace.name)
        guard name.hasSuffix(".stream") else { return nil }
        let bytes = unsafe Array(UnsafeBufferPointer(start: trace.bytes, count: trace.count))
        return Gesture(name, journal: String(decoding: bytes, as: UTF8.self))
    }

    private init?(_ name: String, journal: String) {
        var body: JSONValue?
        var messages: [(time: Double, message: JSONValue)] = []
        for line in journal.split(separator: "\n") {
            guard let entry = try? JSONValue(parsing: line), entry["in"]?.string == "frame",
                let text = entry["text"]?.string, let frame = try? JSONValue(parsing: text)
            else { continue }
            let time = (entry["at"]?.number ?? 0) / 1000
            for message in frame.array ?? [frame] {
                switch message["type"]?.string {
                case "hello": body = message["views"]?.array?.first
                case "scroll", "pan", "geometry":
                    var own = message
                    own["seq"] = nil
                    messages.append((time, own))
                default: break
                }
            }
        }
        guard let body, let first = messages.first else { return nil }
        self.name = name
        self.body = body
        self.messages = messages.map { ($0.time - first.time, $0.message) }
    }
}
