internal import CProcess
internal import Dispatch
internal import Glibc
internal import RefreshProtocol
internal import Synchronization

/// Whether there is memory for somebody new, and for those who are there. It is looked at each
/// quarter of a second at most, whoever asks, and earlier where sessions have grown by a good part
/// of the room that the last look has seen; between two looks the answer is that of the last.
///
/// Where it is short something is done for it, in rounds, one in five seconds at most:
///
///     look -> trim -> look again -> shed -> trim
///
/// What the next look sees decides of the next round.
///
/// What is free goes back to the system only when it is told to, so without the first trim a daemon
/// that was full once would shed for nothing, and without the last one it would not see what the
/// shedding has freed.
///
/// Rounds are slow, and only those go who wait for their clients. Where sessions grow faster than
/// that, `grow` says how much has to be free again at once.
final class MemoryGauge: Sendable {
    private struct State {
        var lookedAt: Instant?
        var relievedAt: Instant?
        var isRelieving = false
        var isShort = false
        /// Bytes that were free at the last look, by the bound that was nearest.
        var room = 0
        /// Bytes that sessions have taken since, about.
        var grown = 0
    }

    /// The least time between two looks where nothing grows, and between two rounds, milliseconds.
    private static let lookMs = 250.0
    private static let reliefMs = 5000.0
    /// Growth by so much of the room is worth a look; and so many bytes at least.
    private static let roomShare = 8
    private static let growthMin = 65_536

    /// Gives what is free back to the system, and calls `then`.
    typealias Trim = @Sendable (_ then: @escaping @Sendable () -> Void) -> Void
    /// Has those end that can be spared, and calls `then` when they have.
    typealias Shed = @Sendable (_ then: @escaping @Sendable () -> Void) -> Void

    private let process: KeptFile?
    private let groups: [MemoryGroup]
    private let addressSpace: AddressSpace?
    private let trim: Trim
    private let trimNow: @Sendable () -> Void
    private let state = Mutex(State())

    /// `process`: /proc/self/statm: pages, the first number those that are mapped, the second those
    /// that are resident. `trimNow`: gives back what is free before it returns.
    init(
        process: String = "/proc/self/statm", groups: [MemoryGroup] = MemoryGroup.all(),
        addressSpace: AddressSpace? = .own,
        trim: @escaping Trim = { then in
            // It takes a while.
            DispatchQueue.global(qos: .utility).async {
                cprocess_trim_memory()
                then()
            }
        }, trimNow: @escaping @Sendable () -> Void = { cprocess_trim_memory() }
    ) {
        self.process = KeptFile(process)
        self.groups = groups
        self.addressSpace = addressSpace
        self.trim = trim
        self.trimNow = trimNow
    }

    /// Whether nobody new should be let in. If so, and if it is time for that, a round begins, with
    /// `shed` in it. `bytesMax`: resident bytes of the process; 0: no bound but those of control
    /// groups and address space. `grown`: bytes that whoever comes will take, about.
    func look(
        bytesMax: Int, grown: Int = 0, at now: Instant, shed: @escaping Shed = { $0() }
    ) -> Bool {
        let (isShort, begins) = state.withLock { state -> (Bool, Bool) in
            state.grown += grown
            guard isDue(state, at: now) else { return (state.isShort, false) }
            note(readings(bytesMax), &state, at: now)
            guard state.isShort, !state.isRelieving,
                state.relievedAt.map({ now.milliseconds(since: $0) >= Self.reliefMs }) ?? true
            else { return (state.isShort, false) }
            state.relievedAt = now
            state.isRelieving = true
            return (true, true)
        }
        if begins { relieve(bytesMax, shed) }
        return isShort
    }

    /// Sessions have taken so many bytes more, about. What has to be free again at once, by those
    /// going who are connected; nil: nothing. All that is free already has been given back by then.
    func grow(by bytes: Int, bytesMax: Int, at now: Instant) -> MemoryReading? {
        guard bytesMax > 0 || !groups.isEmpty || addressSpace != nil else { return nil }
        let isOver = state.withLock { state in
            state.grown += bytes
            guard isDue(state, at: now) else { return false }
            return note(readings(bytesMax), &state, at: now) != nil
        }
        guard isOver else { return nil }
        trimNow()
        return state.withLock { note(readings(bytesMax), &$0, at: now) }
    }

    /// Whether nobody new should be let in, as far as is known.
    var isShort: Bool { state.withLock { $0.isShort } }

    /// Gives back what is free, sooner or later.
    func giveBack() { trim {} }

    private func isDue(_ state: State, at now: Instant) -> Bool {
        guard let last = state.lookedAt else { return true }
        return now.milliseconds(since: last) >= Self.lookMs
            || state.grown >= max(Self.growthMin, state.room / Self.roomShare)
    }

    /// Takes up what a look has seen; the bound that most has to be free of, nil if none.
    @discardableResult
    private func note(
        _ readings: [MemoryReading], _ state: inout State, at now: Instant
    ) -> MemoryReading? {
        state.lookedAt = now
        state.grown = 0
        state.isShort = readings.contains(where: \.isShort)
        state.room = readings.map(\.room).min() ?? .max
        return readings.filter { $0.excess > 0 }.max { $0.excess < $1.excess }
    }

    private func relieve(_ bytesMax: Int, _ shed: @escaping Shed) {
        trim { [self] in
            guard readings(bytesMax).contains(where: \.isShort) else { return endRound() }
            shed { [self] in trim { [self] in endRound() } }
        }
    }

    /// Whoever asks next looks anew.
    private func endRound() {
        state.withLock { state in
            state.isRelieving = false
            state.lookedAt = nil
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

    /// 0 when it cannot be told.
    var residentBytes: Int { bytes(inField: 1) }

    private func bytes(inField field: Int) -> Int {
        guard let fields = process?.text?.split(separator: " "), fields.count > field else {
            return 0
        }
        return (Int(fields[field]) ?? 0) * Int(getpagesize())
    }
}
