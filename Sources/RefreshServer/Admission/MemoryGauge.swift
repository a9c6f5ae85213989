internal import CProcess
internal import Dispatch
internal import Glibc
internal import RefreshProtocol
internal import Synchronization

/// Whether there is memory for somebody new. It is looked at no more often than each quarter of a
/// second, whoever asks; between two looks the answer is that of the last.
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
final class MemoryGauge: Sendable {
    private struct State {
        var lookedAt: Instant?
        var relievedAt: Instant?
        var isRelieving = false
        var isShort = false
    }

    /// The least time between two looks, and between two rounds, milliseconds.
    private static let lookMs = 250.0
    private static let reliefMs = 5000.0

    /// Gives what is free back to the system, and calls `then`.
    typealias Trim = @Sendable (_ then: @escaping @Sendable () -> Void) -> Void
    /// Has those end that can be spared, and calls `then` when they have.
    typealias Shed = @Sendable (_ then: @escaping @Sendable () -> Void) -> Void

    private let process: KeptFile?
    private let groups: [MemoryGroup]
    private let trim: Trim
    private let state = Mutex(State())

    /// `process`: /proc/self/statm: pages, the second number those that are resident.
    init(
        process: String = "/proc/self/statm", groups: [MemoryGroup] = MemoryGroup.all(),
        trim: @escaping Trim = { then in
            // It takes a while.
            DispatchQueue.global(qos: .utility).async {
                cprocess_trim_memory()
                then()
            }
        }
    ) {
        self.process = KeptFile(process)
        self.groups = groups
        self.trim = trim
    }

    /// Whether nobody new should be let in. If so, and if it is time for that, a round begins, with
    /// `shed` in it. `bytesMax`: resident bytes of the process; 0: no bound but that of the control
    /// group.
    func look(bytesMax: Int, at now: Instant, shed: @escaping Shed = { $0() }) -> Bool {
        let (isShort, begins) = state.withLock { state -> (Bool, Bool) in
            if let last = state.lookedAt, now.milliseconds(since: last) < Self.lookMs {
                return (state.isShort, false)
            }
            state.lookedAt = now
            state.isShort = exceeds(bytesMax)
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

    private func relieve(_ bytesMax: Int, _ shed: @escaping Shed) {
        trim { [self] in
            guard exceeds(bytesMax) else { return endRound() }
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

    private func exceeds(_ bytesMax: Int) -> Bool {
        (bytesMax > 0 && residentBytes > bytesMax) || groups.contains(where: \.isShort)
    }

    /// 0 when it cannot be told.
    var residentBytes: Int {
        guard let fields = process?.text?.split(separator: " "), fields.count > 1 else { return 0 }
        return (Int(fields[1]) ?? 0) * Int(getpagesize())
    }
}
