internal import CProcess
internal import Dispatch
internal import Glibc
internal import RefreshProtocol
internal import Synchronization

/// Whether there is memory for somebody new. It is looked at no more often than each quarter of a second,
/// whoever asks; between two looks the answer is that of the last.
final class MemoryGauge: Sendable {
    private struct State {
        var lookedAt: Instant?
        var trimmedAt: Instant?
        var isShort = false
    }

    /// The least time between two looks, and between two tries to give memory back, milliseconds.
    private static let lookMs = 250.0
    private static let trimMs = 5000.0

    private let process: KeptFile?
    private let groups: [MemoryGroup]
    private let state = Mutex(State())

    /// `process`: /proc/self/statm: pages, the second number those that are resident.
    init(process: String = "/proc/self/statm", groups: [MemoryGroup] = MemoryGroup.all()) {
        self.process = KeptFile(process)
        self.groups = groups
    }

    /// What a look has found.
    struct Finding: Equatable {
        /// Whether nobody new should be let in.
        var isShort: Bool
        /// Whether it was looked at just now: then the caller sees to it that memory becomes free.
        var isNew: Bool
    }

    /// `bytesMax`: resident bytes of the process; 0: no bound but that of the control group.
    func look(bytesMax: Int, at now: Instant) -> Finding {
        state.withLock { state in
            if let last = state.lookedAt, now.milliseconds(since: last) < Self.lookMs {
                return Finding(isShort: state.isShort, isNew: false)
            }
            state.lookedAt = now
            state.isShort =
                (bytesMax > 0 && residentBytes > bytesMax) || groups.contains(where: \.isShort)
            if state.isShort,
                state.trimmedAt.map({ now.milliseconds(since: $0) > Self.trimMs }) ?? true
            {
                state.trimmedAt = now
                // What is free goes back to the system only when it is told to: without that a daemon
                // that was full once would seem so for ever. It takes a while.
                DispatchQueue.global(qos: .utility).async { cprocess_trim_memory() }
            }
            return Finding(isShort: state.isShort, isNew: true)
        }
    }

    /// 0 when it cannot be told.
    var residentBytes: Int {
        guard let fields = process?.text?.split(separator: " "), fields.count > 1 else { return 0 }
        return (Int(fields[1]) ?? 0) * Int(getpagesize())
    }
}
