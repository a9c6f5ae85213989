import RefreshEngine
import RefreshProtocol

extension SessionSnapshot {
    /// Returns the snapshot, reduced to the views that its client still has.
    ///
    /// Views that `hello` does not name are left out. A view is also left out if items of it were
    /// sent, but `hello` names the view without items. In that case the client has attached the
    /// view again, because each snapshot is sent together with the items that it covers.
    ///
    /// - Throws: The reason why the client cannot resume from the snapshot.
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
                // Without the list of views, `hello` does not contain the settings with which to
                // attach the view again.
                guard named != nil else { throw .resultsLost }
                continue
            }
            shown.session.views.append(view)
        }
        return shown
    }
}
