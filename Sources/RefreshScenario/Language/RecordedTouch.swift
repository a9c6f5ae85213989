internal import RefreshProtocol
internal import RefreshServer

/// A finger's way, as it was recorded: in shares of its time and of its farthest point.
package struct RecordedTouch: Hashable, Sendable {
    /// Where the finger was.
    package struct Sample: Hashable, Sendable {
        /// Of the whole time, 0...1.
        package var time: Double
        /// 0 is where it began, 1 the point farthest from there; a way back beyond the start is
        /// less than 0.
        package var way: Double
    }

    /// After the first, which is at 0 and 0; the last one is at the time 1.
    package var samples: [Sample]
    package var durationMs: Double

    /// Why a journal holds no gesture to play.
    package struct Unusable: Error, Hashable, Sendable {
        package var reason: String
    }

    /// The first gesture in a journal.
    package init(journal bytes: [UInt8]) throws(Unusable) {
        self = try Self.all(in: bytes)[0]
    }

    /// The gestures in a journal, at least one: of each the samples from `began` to the last before
    /// the finger left. A finger that only touched the list made none.
    package static func all(in journal: [UInt8]) throws(Unusable) -> [RecordedTouch] {
        var touches: [RecordedTouch] = []
        var places: [Place] = []
        func end() {
            if let touch = RecordedTouch(places) { touches.append(touch) }
            places = []
        }
        for message in try messages(of: journal) {
            guard let type = message["type"]?.string, type == "scroll" || type == "pan",
                let phase = message["phase"]?.string,
                let t = message["t"]?.number,
                let place = message[type == "pan" ? "translation" : "offset"]?.number
            else { continue }
            if phase == ScrollPhase.began.rawValue {
                end()
                places = [(t, place)]
            } else if !places.isEmpty, phase == ScrollPhase.dragging.rawValue {
                places.append((t, place))
            } else {
                end()
            }
        }
        end()
        guard !touches.isEmpty else { throw Unusable(reason: "no finger that moves a list") }
        return touches
    }

    private typealias Place = (t: Double, place: Double)

    /// The way through those places; nil: they are none.
    private init?(_ places: [Place]) {
        guard Self.isWay(places), let first = places.first, let last = places.last,
            let far = places.max(by: { abs($0.place - first.place) < abs($1.place - first.place) })
        else { return nil }
        durationMs = last.t - first.t
        samples = places.dropFirst().map { [durationMs] sample in
            Sample(
                time: (sample.t - first.t) / durationMs,
                way: (sample.place - first.place) / (far.place - first.place))
        }
    }

    private static func isWay(_ places: [Place]) -> Bool {
        guard let first = places.first, let last = places.last else { return false }
        return last.t > first.t && places.contains { $0.place != first.place }
            && zip(places, places.dropFirst()).allSatisfy { $0.t <= $1.t }
    }

    /// What the client said, in order.
    private static func messages(of bytes: [UInt8]) throws(Unusable) -> [JSONValue] {
        var messages: [JSONValue] = []
        for line in bytes.split(separator: 0x0A) {
            let parsed: JournalLine
            do throws(JournalLineError) {
                parsed = try JournalLine(parsing: Array(line))
            } catch {
                throw Unusable(reason: "a line that \(error.description)")
            }
            guard case .input(_, .frame(let frame)) = parsed,
                let value = try? JSONValue(parsing: frame)
            else { continue }
            messages += value.array ?? [value]
        }
        return messages
    }
}
