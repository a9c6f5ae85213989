/// Why a worker is sent away.
package enum WorkerDismissal: Hashable, Sendable {
    case notUnderstood(WorkerMessageFault)
    /// It did not answer a load that was taken back, within its grace.
    case overdue
}
