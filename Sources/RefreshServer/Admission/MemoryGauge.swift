internal import CProcess
internal import Dispatch
internal import Glibc
internal import RefreshProtocol
internal import Synchronization

/// Measures whether there is memory for new clients and for current ones. If nothing grows, the
/// gauge measures at most every 250 ms. It measures earlier if sessions have grown by an eighth of
/// the memory that was free at the last measurement. Between two measurements, the last result is
/// used.
///
/// If memory is short, the gauge frees memory in rounds, at most one in five seconds:
///
///     measure -> trim -> measure -> shed -> trim
///
/// The next measurement decides whether another round follows. `trim` returns free memory to the
/// system, and `shed` evicts detached sessions.
///
/// The heap returns free memory to the system only on demand. Without the first trim, a daemon that
/// was full earlier would shed sessions without need. Without the last trim, the next measurement
/// could not show what the shedding has freed.
///
/// Rounds are slow and evict only detached sessions. If sessions grow faster than rounds free
/// memory, `recordGrowth` returns a reading with the excess that must be freed at once.
final class MemoryGauge: Sendable {
    private struct State {
        var measuredAt: Instant?
        var relievedAt: Instant?
        var isRelieving = false
        var isShort = false
        /// The bytes that were free at the last measurement. Of several bounds, the one with the
        /// fewest free bytes counts.
        var room = 0
        /// Roughly the bytes by which the memory of sessions has grown since the last measurement.
        var grown = 0
    }

    /// The minimum time between two measurements if nothing grows, in milliseconds. `reliefMs` is
    /// the minimum time between two rounds.
    private static let measurementIntervalMs = 250.0
    private static let reliefMs = 5000.0
    /// A measurement is due when sessions have grown by `room / roomShare` bytes, but by at least
    /// `growthMin` bytes.
    private static let roomShare = 8
    private static let growthMin = 65_536

    /// Returns free memory to the system and calls `then`.
    typealias Trim = @Sendable (_ then: @escaping @Sendable () -> Void) -> Void
    /// Evicts detached sessions and calls `then` when they have ended.
    typealias Shed = @Sendable (_ then: @escaping @Sendable () -> Void) -> Void

    private let process: CachedProcFile?
    private let groups: [MemoryGroup]
    private let addressSpace: AddressSpace?
    private let trim: Trim
    private let trimNow: @Sendable () -> Void
    private let state = Mutex(State())

    /// `process`: /proc/self/statm. Its first number is the mapped memory, and its second number is
    /// the resident memory, both in pages. `trimNow`: returns free memory to the system,
    /// synchronously.
    init(
        process: String = "/proc/self/statm", groups: [MemoryGroup] = MemoryGroup.all(),
        addressSpace: AddressSpace? = .own,
        trim: @escaping Trim = { then in
            // Returning memory is slow, so another thread does it.
            DispatchQueue.global(qos: .utility).async {
                cprocess_trim_memory()
                then()
            }
        }, trimNow: @escaping @Sendable () -> Void = { cprocess_trim_memory() }
    ) {
        self.process = CachedProcFile(process)
        self.groups = groups
        self.addressSpace = addressSpace
        self.trim = trim
        self.trimNow = trimNow
    }

    /// Returns whether new clients must be refused. If new clients must be refused and a round is
    /// due, starts a round that uses `shed`. `bytesMax`: the bound of the process's resident bytes;
    /// 0: only control groups and address space set bounds. `grown`: roughly the bytes that the new
    /// client will use.
    func measure(
        bytesMax: Int, grown: Int = 0, at now: Instant, shed: @escaping Shed = { $0() }
    ) -> Bool {
        let (isShort, begins) = state.withLock { state -> (Bool, Bool) in
            state.grown += grown
            guard isDue(state, at: now) else { return (state.isShort, false) }
            record(readings(bytesMax), &state, at: now)
            guard state.isShort, !state.isRelieving,
                state.relievedAt.map({ now.milliseconds(since: $0) >= Self.reliefMs }) ?? true
            else { return (state.isShort, false) }
            state.relievedAt = now
            state.isRelieving = true
            return (true, true)
        }
        if begins { startRelief(bytesMax, shed) }
        return isShort
    }

    /// Records that sessions use about `bytes` bytes more. If connected sessions must free memory
    /// at once, returns the reading with the excess. If not, returns nil. If a measurement shows an
    /// excess, the free memory of the heap is first returned to the system, and memory is measured
    /// again.
    func recordGrowth(by bytes: Int, bytesMax: Int, at now: Instant) -> MemoryReading? {
        guard bytesMax > 0 || !groups.isEmpty || addressSpace != nil else { return nil }
        let isOver = state.withLock { state in
            state.grown += bytes
            guard isDue(state, at: now) else { return false }
            return record(readings(bytesMax), &state, at: now) != nil
        }
        guard isOver else { return nil }
        trimNow()
        return state.withLock { record(readings(bytesMax), &$0, at: now) }
    }

    /// Whether new clients must be refused according to the last measurement.
    var isShort: Bool { state.withLock { $0.isShort } }

    /// Returns free memory to the system, asynchronously.
    func releaseFreeMemory() { trim {} }

    private func isDue(_ state: State, at now: Instant) -> Bool {
        guard let last = state.measuredAt else { return true }
        return now.milliseconds(since: last) >= Self.measurementIntervalMs
            || state.grown >= max(Self.growthMin, state.room / Self.roomShare)
    }

    /// Records a measurement. Returns the reading with the largest excess; nil if there is no
    /// excess.
    @discardableResult
    private func record(
        _ readings: [MemoryReading], _ state: inout State, at now: Instant
    ) -> MemoryReading? {
        state.measuredAt = now
        state.grown = 0
        state.isShort = readings.contains(where: \.isShort)
        state.room = readings.map(\.room).min() ?? .max
        return readings.filter { $0.excess > 0 }.max { $0.excess < $1.excess }
    }

    private func startRelief(_ bytesMax: Int, _ shed: @escaping Shed) {
        trim { [self] in
            guard readings(bytesMax).contains(where: \.isShort) else { return endRound() }
            shed { [self] in trim { [self] in endRound() } }
        }
    }

    /// Ends the round. The next caller measures again.
    private func endRound() {
        state.withLock { state in
            state.isRelieving = false
            state.measuredAt = nil
        }
    }

    private func readings(_ bytesMax: Int) -> [MemoryReading] {
        let resident = residentBytes
        var readings = groups.compactMap { group -> MemoryReading? in
            guard var reading = group.reading else { return nil }
            reading.isOthers = resident < reading.used / 2
            return reading
        }
        if bytesMax > 0 { readings.append(MemoryReading(used: resident, bound: bytesMax)) }
        if let addressSpace { readings.append(addressSpace.reading(mapped: bytes(inField: 0))) }
        return readings
    }

    /// Resident bytes of the process; 0 if unknown.
    var residentBytes: Int { bytes(inField: 1) }

    private func bytes(inField field: Int) -> Int {
        guard let fields = process?.text?.split(separator: " "), fields.count > field else {
            return 0
        }
        return (Int(fields[field]) ?? 0) * Int(getpagesize())
    }
}
