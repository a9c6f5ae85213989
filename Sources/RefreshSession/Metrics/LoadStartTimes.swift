import RefreshProtocol

/// The start times of a session's running loads.
struct LoadStartTimes {
    // A view has at most two running loads, so a linear search is enough.
    private var starts: [(load: LoadID, at: Instant)] = []

    mutating func recordStart(of load: LoadID, at now: Instant) { starts.append((load, now)) }

    /// Records the end of a load. Returns how many milliseconds it ran; nil if its start is
    /// unknown.
    mutating func recordEnd(of load: LoadID, at now: Instant) -> Double? {
        guard let index = starts.firstIndex(where: { $0.load == load }) else { return nil }
        let begin = starts.remove(at: index).at
        // Most of the time, a session has no running load. The memory of the array is then
        // released.
        if starts.isEmpty { starts = [] }
        return Self.milliseconds(from: begin, to: now)
    }

    /// Returns how many milliseconds a load has run.
    func elapsedMs(of load: LoadID, at now: Instant) -> Double? {
        starts.first { $0.load == load }.map { Self.milliseconds(from: $0.at, to: now) }
    }

    private static func milliseconds(from begin: Instant, to end: Instant) -> Double {
        Double(max(0, end.microseconds - begin.microseconds)) / 1000
    }
}
