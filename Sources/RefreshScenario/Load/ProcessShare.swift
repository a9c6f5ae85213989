/// What a process used of the machine while it was measured.
package struct ProcessShare: Hashable, Sendable {
    /// Of one core; two cores are 200.
    package var cpuPercent: Double
    /// Nil when there was no message.
    package var cpuMicrosecondsPerMessage: Double?
    /// Resident bytes, when measuring began and when it ended.
    package var residentBefore: Int64
    package var residentAfter: Int64
}

extension ProcessShare {
    /// Nil if either look found no process, or the second another one.
    init?(_ before: ObservedProcess?, _ after: ObservedProcess?, seconds: Double, messages: Int) {
        guard let before, let after, before.began == after.began else { return nil }
        let used = Double(after.cpuMicroseconds - before.cpuMicroseconds)
        cpuPercent = used / seconds / 10_000
        cpuMicrosecondsPerMessage = messages > 0 ? used / Double(messages) : nil
        residentBefore = before.residentBytes
        residentAfter = after.residentBytes
    }
}
