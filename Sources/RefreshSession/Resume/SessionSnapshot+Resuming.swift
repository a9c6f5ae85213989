import RefreshEngine
import RefreshProtocol

extension SessionSnapshot {
    /// Returns the session of the snapshot, reduced to what its client still has.
    ///
    /// Views that `hello` no longer names are left out. So are views that it names and has no items
    /// of, although items had been sent: the client has attached these anew since, for items come
    /// together with the snapshot that covers them.
    ///
    /// - Throws: The reason why the client cannot resume from it.
    func reduced(to named: [ViewID]?, by request: ResumeRequest) throws(ResumeRefusal) -> Self {
        guard !request.received.contains(where: { $0.generation > session.lastGeneration }) else {
            throw .snapshotStale
        }
        var shown = self
        shown.session.views = []
        for view in session.views where named?.contains(view.id) ?? true {
            let delivered = view.feed?.delivered ?? 0
            let received = request.received.filter { $0.generation == view.engine.generation }
                .map(\.number).max()
            if let received, view.feed != nil {
                if received > delivered { throw .snapshotStale }
                if received < delivered { throw .resultsLost }
            } else if delivered > 0 {
                // `hello` does not describe how to attach the view anew.
                guard named != nil else { throw .resultsLost }
                continue
            }
            shown.session.views.append(view)
        }
        return shown
    }
}
