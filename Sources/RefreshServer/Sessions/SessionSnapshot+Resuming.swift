import RefreshEngine
import RefreshProtocol

extension SessionSnapshot {
    /// The session as it was then, of what its client has still: without the views that `hello`
    /// does not name any more, and without those that it names and has no items of, though there
    /// were: these it has attached anew since, for items come with the snapshot that knows of them.
    ///
    /// - Throws: why the client cannot go on with it.
    func asShown(_ named: [ViewID]?, by request: ResumeRequest) throws(ResumeRefusal) -> Self {
        guard !request.received.contains(where: { $0.generation > lastGeneration }) else {
            throw .snapshotStale
        }
        var shown = self
        shown.views = []
        for view in views where named?.contains(view.id) ?? true {
            let delivered = view.feed?.delivered ?? 0
            let received = request.received.filter { $0.generation == view.engine.generation }
                .map(\.number).max()
            if let received, view.feed != nil {
                if received > delivered { throw .snapshotStale }
                if received < delivered { throw .resultsLost }
            } else if delivered > 0 {
                // How it would be attached anew nobody says.
                guard named != nil else { throw .resultsLost }
                continue
            }
            shown.views.append(view)
        }
        return shown
    }
}
