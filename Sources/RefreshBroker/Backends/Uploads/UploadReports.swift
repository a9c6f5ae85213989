/// Decides when the feed `uploads` reports that it has newer data. It has no clock. Times are in
/// milliseconds since 1970.
///
/// Each upload is reported, as long as a session has loaded a page in the last minutes. Then the
/// reports end until the next load, so that a daemon without clients of this feed has nothing to
/// do.
struct UploadReports: Sendable {
    /// The time after a load in which uploads are reported.
    static let reportedMs: Int64 = 300_000

    private var lastLoad: Int64?
    private var isStopped = false
    private(set) var areRunning = false

    /// Records a load. Returns whether the reports begin, so that the caller must wait for
    /// `nextDelay`.
    mutating func recordLoad(at time: Int64) -> Bool {
        lastLoad = time
        guard !areRunning, !isStopped else { return false }
        areRunning = true
        return true
    }

    /// Returns the time until the next report, in milliseconds; nil if the reports have ended.
    mutating func nextDelay(at time: Int64) -> Int64? {
        // If the wall clock was set back, the reports end too.
        let reported = lastLoad.map { $0..<$0 + Self.reportedMs }
        guard !isStopped, reported?.contains(time) == true else {
            areRunning = false
            return nil
        }
        let next = (UploadList.newestNumber(at: time) + 1) * UploadList.intervalMs
        // If the wall clock is outside of the range of the list, the list does not change.
        return min(max(next - time, 1), UploadList.intervalMs)
    }

    /// Ends the reports. No report begins afterwards.
    mutating func stop() { isStopped = true }
}
