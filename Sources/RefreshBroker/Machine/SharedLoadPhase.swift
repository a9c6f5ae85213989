/// The phase of a load that is still wanted. From every phase, the load ends with an outcome for
/// all waiters, or when no waiter is left.
enum SharedLoadPhase: Hashable, Sendable {
    /// It is in its backend's queue. Becomes `calling` at its turn.
    case queued
    /// The call with this identity is running. Becomes `pausing` if it fails and may be retried.
    case calling(CallID)
    /// It has no call. Becomes `calling` or `queued` when the pause is over.
    case pausing
}
