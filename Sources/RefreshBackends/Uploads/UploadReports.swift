/// Decides when the feeds `uploads` and `messages` report that they have newer data.
/// `UploadReports` has no clock: the caller passes each time, in milliseconds since 1970.
///
/// For some time after each load of a page, each upload is reported. After this time, the reports
/// end until the next load. So a daemon without clients of this feed has nothing to do.
struct UploadReports: Sendable {
    /// The time after a load in which uploads are reported, in milliseconds.
    let reportedMs: Int64

    private var lastLoad: Int64?
    private var isStopped = false
    private(set) var areRunning = false

    /// The default of `reportedMs` is five minutes.
    init(reportedMs: Int64 = 300_000) {
        self.reportedMs = reportedMs
    }

    /// Records a load. Returns whether the reports begin. If so, the caller must call `nextDelay`,
    /// and report after that time.
    mutating func recordLoad(at time: Int64) -> Bool {
        lastLoad = time
        guard !areRunning, !isStopped else { return false }
        areRunning = true
        return true
    }

    /// Returns the time until the next report, in milliseconds; nil if the reports have ended.
    mutating func nextDelay(at time: Int64) -> Int64? {
        // If the wall clock was set back to a time before the last load, the reports end too.
        let reported = lastLoad.map { $0..<$0 + reportedMs }
        guard !isStopped, reported?.contains(time) == true else {
            areRunning = false
            return nil
        }
        let next = (UploadList.newestNumber(at: time) + 1) * UploadList.intervalMs
        // If the time is outside the range that the list supports, the list does not change. The
        // delay must be positive even then, and at most one interval.
        return min(max(next - time, 1), UploadList.intervalMs)
    }

    /// Ends the reports. No report begins afterwards.
    mutating func stop() { isStopped = true }
}
