/// The resources that a process used during the measurement.
package struct ProcessShare: Hashable, Sendable {
    /// The CPU usage in percent of one core. If two cores are fully used, it is 200.
    package var cpuPercent: Double
    /// CPU time for each message. Nil if there was no message.
    package var cpuMicrosecondsPerMessage: Double?
    /// Resident bytes at the start and at the end of the measurement.
    package var residentBefore: Int64
    package var residentAfter: Int64
}

extension ProcessShare {
    /// Creates the share. Nil if either observation is missing, or if they are of different
    /// processes.
    init?(_ before: ObservedProcess?, _ after: ObservedProcess?, seconds: Double, messages: Int) {
        guard let before, let after, before.began == after.began else { return nil }
        let used = Double(after.cpuMicroseconds - before.cpuMicroseconds)
        cpuPercent = used / seconds / 10_000
        cpuMicrosecondsPerMessage = messages > 0 ? used / Double(messages) : nil
        residentBefore = before.residentBytes
        residentAfter = after.residentBytes
    }
}
