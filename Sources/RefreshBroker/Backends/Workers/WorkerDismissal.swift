/// The reason for dismissing a worker.
package enum WorkerDismissal: Hashable, Sendable {
    case invalidMessage(WorkerMessageFault)
    /// It did not answer a load that was taken back within the grace period.
    case overdue
}
