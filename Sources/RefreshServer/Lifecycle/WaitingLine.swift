/// Who waits, the one who came first in front.
struct WaitingLine {
    private var tickets: [SessionKey: UInt64] = [:]
    /// Some have left meanwhile: their ticket is another, or none.
    private var line: [(key: SessionKey, ticket: UInt64)] = []
    /// Before it all have left.
    private var front = 0
    private var lastTicket: UInt64 = 0

    var count: Int { tickets.count }
    /// Places that it takes, those of who has left among them.
    var room: Int { line.count }

    /// Somebody comes. Who has to go, if more than `most` would wait: the one who came first.
    mutating func enter(_ key: SessionKey, most: Int) -> SessionKey? {
        lastTicket += 1
        tickets[key] = lastTicket
        line.append((key, lastTicket))
        defer { closeUp() }
        return tickets.count > most ? next() : nil
    }

    /// Takes an eighth of those who wait, the ones who came first first; at least 16, if there are so many.
    mutating func takeOldest() -> [SessionKey] {
        defer { closeUp() }
        var taken: [SessionKey] = []
        let count = max(16, tickets.count / 8)
        while taken.count < count, let key = next() { taken.append(key) }
        return taken
    }

    private mutating func next() -> SessionKey? {
        while front < line.count {
            let first = line[front]
            front += 1
            guard tickets[first.key] == first.ticket else { continue }
            tickets[first.key] = nil
            return first.key
        }
        return nil
    }

    mutating func leave(_ key: SessionKey) {
        guard tickets.removeValue(forKey: key) != nil else { return }
        closeUp()
    }

    /// Gives back the room of those who have left, once these are most.
    private mutating func closeUp() {
        guard line.count > 64, line.count > 2 * tickets.count else { return }
        line = line[front...].filter { tickets[$0.key] == $0.ticket }
        front = 0
    }
}
