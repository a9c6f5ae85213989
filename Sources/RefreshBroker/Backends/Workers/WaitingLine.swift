/// Loads of one feed in the order of their coming.
struct WaitingLine: Sendable {
    private var places: [(id: FlightID, serial: UInt64)] = []
    private var head = 0

    var first: (id: FlightID, serial: UInt64)? { head < places.count ? places[head] : nil }

    /// How many stand in it, those that are gone among them.
    var count: Int { places.count - head }

    /// Keeps only those that `isWaiting` says. Linear.
    mutating func keep(_ isWaiting: (FlightID, _ serial: UInt64) -> Bool) {
        places = places[head...].filter { isWaiting($0.id, $0.serial) }
        head = 0
    }

    mutating func append(_ id: FlightID, _ serial: UInt64) { places.append((id, serial)) }

    mutating func prepend(_ id: FlightID, _ serial: UInt64) {
        if head > 0 {
            head -= 1
            places[head] = (id, serial)
        } else {
            places.insert((id, serial), at: 0)
        }
    }

    mutating func removeFirst() {
        guard head < places.count else { return }
        head += 1
        // In bulk, so that it is constant on average.
        if head > 32, head * 2 > places.count {
            places.removeFirst(head)
            head = 0
        }
    }
}
