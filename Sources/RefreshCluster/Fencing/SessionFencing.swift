/// Asks the nodes of a cluster for sessions. Any thread may call the methods, and none waits.
package protocol SessionFencing: Sendable {
    /// Claims a session that would be rebuilt here. `answer` is called on any thread, in about
    /// `SessionFence.claimMs` if the thread of the fence is not busy.
    func claim(
        _ session: String, _ head: SessionHead, answer: @escaping @Sendable (ClaimVerdict) -> Void)

    /// Reports something that has happened to a session of this node.
    func post(_ event: SessionFence.Event)
}
