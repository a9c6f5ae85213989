import RefreshEngine
import RefreshProtocol

extension SessionSnapshot {
    /// Whether a client may go on with the session as it was then, which says this. Nil: it may.
    func refusal(of request: ResumeRequest, showing shown: [ViewID]?) -> ResumeRefusal? {
        for view in views where shown?.contains(view.id) ?? true {
            guard let delivered = view.feed?.delivered else { continue }
            let generation = view.engine.generation
            let received =
                request.received.filter { $0.generation == generation }.map(\.number).max() ?? 0
            if received > delivered { return .snapshotStale }
            if received < delivered { return .resultsLost }
        }
        return nil
    }
}
