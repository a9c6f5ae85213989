/// Who waits, and how many bytes each holds: the one who came first in front.
struct WaitingLine {
    private struct Place {
        let ticket: UInt64
        var bytes: Int
    }

    private var places: [SessionKey: Place] = [:]
    /// Some have left meanwhile: their ticket is another, or none.
    private var line: [(key: SessionKey, ticket: UInt64)] = []
    /// Before it all have left.
    private var front = 0
    private var lastTicket: UInt64 = 0
    /// What all hold together.
    private(set) var bytes = 0

    var count: Int { places.count }
    /// Places that it takes, those of who has left among them.
    var room: Int { line.count }

    /// Somebody comes and holds so many bytes. Who has to go, if more than `most` would wait, or would hold more
    /// than `bytesMax`: those who came first.
    mutating func enter(
        _ key: SessionKey, holding held: Int = 0, most: Int, bytesMax: Int = .max
    ) -> [SessionKey] {
        leave(key)
        lastTicket += 1
        places[key] = Place(ticket: lastTicket, bytes: held)
        bytes += held
        line.append((key, lastTicket))
        defer { closeUp() }
        return dismiss(beyond: most, bytesMax)
    }

    /// Somebody who waits holds so many bytes now. Who has to go for it: those who came first.
    mutating func weigh(_ key: SessionKey, holding held: Int, bytesMax: Int) -> [SessionKey] {
        guard let place = places[key] else { return [] }
        bytes += held - place.bytes
        places[key]?.bytes = held
        defer { closeUp() }
        return dismiss(beyond: .max, bytesMax)
    }

    /// Takes an eighth of those who wait, the ones who came first first; at least 16, if there are so many.
    mutating func takeOldest() -> [SessionKey] {
        defer { closeUp() }
        var taken: [SessionKey] = []
        let count = max(16, places.count / 8)
        while taken.count < count, let key = next() { taken.append(key) }
        return taken
    }

    private mutating func dismiss(beyond most: Int, _ bytesMax: Int) -> [SessionKey] {
        var dismissed: [SessionKey] = []
        while places.count > most || bytes > bytesMax, let key = next() { dismissed.append(key) }
        return dismissed
    }

    private mutating func next() -> SessionKey? {
        while front < line.count {
            let first = line[front]
            front += 1
            guard places[first.key]?.ticket == first.ticket else { continue }
            remove(first.key)
            return first.key
        }
        return nil
    }

    mutating func leave(_ key: SessionKey) {
        guard places[key] != nil else { return }
        remove(key)
        closeUp()
    }

    private mutating func remove(_ key: SessionKey) {
        guard let place = places.removeValue(forKey: key) else { return }
        bytes -= place.bytes
    }

    /// Gives back the room of those who have left, once these are most.
    private mutating func closeUp() {
        guard line.count > 64, line.count > 2 * places.count else { return }
        line = line[front...].filter { places[$0.key]?.ticket == $0.ticket }
        front = 0
    }
}
