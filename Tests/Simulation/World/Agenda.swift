import RefreshProtocol

/// The event queue and the clock of a simulated world. Time stands still while an event is handled,
/// then advances to the next event.
///
/// Events with the same time run in the order of their lanes. Within a lane, they run in the order
/// in which they were added. Each thread of a daemon has its own lane, so the order in which two
/// threads received their events does not matter.
final class Agenda {
    private struct Entry {
        let due: Int64
        let lane: Int
        let serial: UInt64
        let action: () -> Void

        func isBefore(_ other: Entry) -> Bool {
            if due != other.due { return due < other.due }
            if lane != other.lane { return lane < other.lane }
            return serial < other.serial
        }
    }

    /// The lane of the world's own events.
    static let sharedLane = 0

    let clock = SimulatedClock()
    private var heap: [Entry] = []
    private var serial: UInt64 = 0
    private var lastLane = Agenda.sharedLane

    var now: Instant { clock.now }

    /// Creates a lane that only the caller uses.
    func newLane() -> Int {
        lastLane += 1
        return lastLane
    }

    func at(_ moment: Instant, lane: Int, _ action: @escaping () -> Void) {
        serial += 1
        heap.append(
            Entry(
                due: max(moment, now).microseconds, lane: lane, serial: serial, action: action))
        rise()
    }

    func after(
        _ milliseconds: Double, lane: Int = Agenda.sharedLane, _ action: @escaping () -> Void
    ) {
        at(now.advanced(byMilliseconds: milliseconds), lane: lane, action)
    }

    /// Runs the events that are due until `end`, or until `isOver` returns true.
    func run(until end: Instant, unless isOver: () -> Bool) {
        while let first = heap.first, first.due <= end.microseconds, !isOver() {
            clock.now = Instant(microseconds: first.due)
            removeFirst()
            first.action()
        }
        if !isOver() { clock.now = max(clock.now, end) }
    }

    /// Removes all events.
    func clear() { heap.removeAll() }

    private func rise() {
        var index = heap.count - 1
        while index > 0, heap[index].isBefore(heap[(index - 1) / 2]) {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private func removeFirst() {
        let last = heap.removeLast()
        guard !heap.isEmpty else { return }
        heap[0] = last
        var index = 0
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2]
            where child < heap.count && heap[child].isBefore(heap[least]) {
                least = child
            }
            if least == index { return }
            heap.swapAt(index, least)
            index = least
        }
    }
}

/// The time of a simulated world.
///
/// `@unchecked Sendable`: the types that read the clock require this conformance, because the
/// daemon reads its clock on several threads. A simulated world runs on one thread, and only that
/// thread uses `now`.
final class SimulatedClock: @unchecked Sendable {
    var now = Instant(milliseconds: 1000)

    /// The milliseconds since 1970, UTC.
    var wallMilliseconds: Int64 { 1_700_000_000_000 + now.microseconds / 1000 }
}
