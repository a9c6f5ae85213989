package import RefreshConfiguration
package import RefreshSession
internal import Synchronization

/// Counts the results of authentication. Any thread may use the counters. Source:
/// docs/operations.md, "Metrics".
package final class AuthMetrics: Sendable {
    /// The counts so far.
    package struct Snapshot: Hashable, Sendable {
        /// One count for each mode and result. The counts of a mode are adjacent. Modes and results
        /// are in the order of the enums' cases.
        package var counts = [Int](
            repeating: 0, count: AuthMode.allCases.count * AdmissionVerdict.Result.allCases.count)
        /// The durations of the requests to the external authentication service.
        package var durations = CallDurations.Snapshot()

        package init() {}

        package subscript(mode: AuthMode, result: AdmissionVerdict.Result) -> Int {
            counts[AuthMetrics.row(mode, result)]
        }
    }

    private let counts = Mutex(Snapshot().counts)
    private let durations = CallDurations()

    package init() {}

    func count(_ verdict: AdmissionVerdict, of mode: AuthMode) {
        counts.withLock { $0[Self.row(mode, verdict.result)] += 1 }
    }

    /// Counts the duration of a request to the external authentication service, whether the request
    /// was answered or not.
    func recordDuration(microseconds: Int64) { durations.add(microseconds: microseconds) }

    package var snapshot: Snapshot {
        var snapshot = Snapshot()
        snapshot.counts = counts.withLock { $0 }
        snapshot.durations = durations.snapshot
        return snapshot
    }

    private static func row(_ mode: AuthMode, _ result: AdmissionVerdict.Result) -> Int {
        let results = AdmissionVerdict.Result.allCases
        let modes = AuthMode.allCases
        return (modes.firstIndex(of: mode) ?? 0) * results.count
            + (results.firstIndex(of: result) ?? 0)
    }
}
