import RefreshProtocol

/// When the loads of a session began that have not ended.
struct LoadClock {
    // At most two a view: looked through, not hashed.
    private var begins: [(load: LoadID, at: Instant)] = []

    mutating func began(_ load: LoadID, at now: Instant) { begins.append((load, now)) }

    /// The load has ended: how long it took, milliseconds; nil if nobody knows when it began.
    mutating func ended(_ load: LoadID, at now: Instant) -> Double? {
        guard let index = begins.firstIndex(where: { $0.load == load }) else { return nil }
        let begin = begins.remove(at: index).at
        // Most of the time a session loads nothing: then it keeps no room for it.
        if begins.isEmpty { begins = [] }
        return Self.ms(from: begin, to: now)
    }

    /// How long a load has run, milliseconds.
    func ms(of load: LoadID, at now: Instant) -> Double? {
        begins.first { $0.load == load }.map { Self.ms(from: $0.at, to: now) }
    }

    private static func ms(from begin: Instant, to end: Instant) -> Double {
        Double(max(0, end.microseconds - begin.microseconds)) / 1000
    }
}
