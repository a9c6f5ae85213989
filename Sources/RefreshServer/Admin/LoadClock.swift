import RefreshProtocol

/// The start times of a session's running loads.
struct LoadClock {
    // At most two a view, so a linear search is enough.
    private var begins: [(load: LoadID, at: Instant)] = []

    mutating func began(_ load: LoadID, at now: Instant) { begins.append((load, now)) }

    /// Records the end of a load. Returns how long it took, milliseconds; nil if its start is
    /// unknown.
    mutating func ended(_ load: LoadID, at now: Instant) -> Double? {
        guard let index = begins.firstIndex(where: { $0.load == load }) else { return nil }
        let begin = begins.remove(at: index).at
        // A session loads nothing most of the time, and then keeps no memory for it.
        if begins.isEmpty { begins = [] }
        return Self.ms(from: begin, to: now)
    }

    /// Returns how long a load has run, milliseconds.
    func ms(of load: LoadID, at now: Instant) -> Double? {
        begins.first { $0.load == load }.map { Self.ms(from: $0.at, to: now) }
    }

    private static func ms(from begin: Instant, to end: Instant) -> Double {
        Double(max(0, end.microseconds - begin.microseconds)) / 1000
    }
}
