internal import RefreshProtocol
internal import RefreshServer
internal import RefreshSession

/// The recorded motion of a finger. Times are fractions of its duration, and positions are
/// fractions of the way from its start to its farthest point.
package struct RecordedTouch: Hashable, Sendable {
    /// A position of the finger.
    package struct Sample: Hashable, Sendable {
        /// The fraction of the whole duration, 0...1.
        package var time: Double
        /// The fraction of the way: 0 is the start, and 1 is the point farthest from it. Positions
        /// on the other side of the start are negative.
        package var progress: Double
    }

    /// The samples after the first one. The first sample has time 0 and progress 0. The last one
    /// has time 1.
    package var samples: [Sample]
    package var durationMs: Double

    /// The reason why a journal has no gesture to play.
    package struct Unusable: Error, Hashable, Sendable {
        package var reason: String
    }

    /// Creates a touch from the first gesture of a journal.
    package init(journal bytes: [UInt8]) throws(Unusable) {
        self = try Self.all(in: bytes)[0]
    }

    /// Returns the gestures in a journal, at least one. Each gesture has the samples from `began`
    /// to the last sample before the finger was lifted. Touches that did not move the list are
    /// omitted.
    package static func all(in journal: [UInt8]) throws(Unusable) -> [RecordedTouch] {
        var touches: [RecordedTouch] = []
        var places: [Place] = []
        func finishTouch() {
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
                finishTouch()
                places = [(t, place)]
            } else if !places.isEmpty, phase == ScrollPhase.dragging.rawValue {
                places.append((t, place))
            } else {
                finishTouch()
            }
        }
        finishTouch()
        guard !touches.isEmpty else { throw Unusable(reason: "no gesture that moves a list") }
        return touches
    }

    private typealias Place = (t: Double, place: Double)

    /// Creates a touch from these positions. Nil if the positions are not a motion: they are all
    /// the same, they span no time, or their times decrease.
    private init?(_ places: [Place]) {
        guard Self.isMotion(places), let first = places.first, let last = places.last,
            let far = places.max(by: { abs($0.place - first.place) < abs($1.place - first.place) })
        else { return nil }
        durationMs = last.t - first.t
        samples = places.dropFirst().map { [durationMs] sample in
            Sample(
                time: (sample.t - first.t) / durationMs,
                progress: (sample.place - first.place) / (far.place - first.place))
        }
    }

    private static func isMotion(_ places: [Place]) -> Bool {
        guard let first = places.first, let last = places.last else { return false }
        return last.t > first.t && places.contains { $0.place != first.place }
            && zip(places, places.dropFirst()).allSatisfy { $0.t <= $1.t }
    }

    /// Returns the client's messages, in order.
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
