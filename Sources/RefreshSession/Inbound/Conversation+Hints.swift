import RefreshEngine
import RefreshProtocol

/// Handles the samples of `local` clients. Such a sample can contain two hints (`SampleHint`): the
/// offset at which the finger came down, and the state that the client predicts.
extension Conversation {
    @inline(never)
    mutating func handle(
        _ message: ClientMessage, with hint: SampleHint, at now: Instant
    ) {
        switch message {
        case .scroll(let header, let sample) where phase.isOpen:
            guard let index = resolveView(of: header, at: now) else { return }
            applySample(sample, from: hint.origin, toViewAt: index, seq: header.seq, at: now)
            checkPrediction(hint.predicted, ofViewAt: index, at: now)
        case .pan(let header, let sample) where phase.isOpen:
            guard let index = resolveView(of: header, at: now) else { return }
            if let origin = hint.origin {
                views[index].engine.recordPhysicalOffset(origin, before: sample)
            }
            applyEvent(
                .panned(sample), toViewAt: index, because: .client(seq: header.seq), at: now)
            checkPrediction(hint.predicted, ofViewAt: index, at: now)
        default: handle(message, at: now)
        }
    }

    /// Passes a sample to the engine.
    ///
    /// A `local` client sends `began` only with the first sample that the daemon needs. If the list
    /// has moved since the finger came down, `origin` differs from the sample's offset. The engine
    /// then receives two samples: `began` at `origin`, and `dragging` at the sample's offset.
    private mutating func applySample(
        _ sample: ScrollSample, from origin: Double?, toViewAt index: Int, seq: UInt64,
        at now: Instant
    ) {
        var sample = sample
        if let origin, sample.phase == .began, origin != sample.offset {
            let began = ScrollSample(offset: origin, phase: .began, cause: sample.cause)
            applyEvent(.scrolled(began), toViewAt: index, because: .client(seq: seq), at: now)
            sample.phase = .dragging
        } else if let origin {
            views[index].engine.recordPhysicalOffset(origin)
        }
        applyEvent(.scrolled(sample), toViewAt: index, because: .client(seq: seq), at: now)
    }

    /// Compares the client's prediction with the engine's state, and sends a correction if they
    /// differ.
    private mutating func checkPrediction(
        _ predicted: Prediction?, ofViewAt index: Int, at now: Instant
    ) {
        guard let predicted, views[index].engine.options.hasEdge(.refresh),
            predicted.state != views[index].engine.refresh.phase.state
        else { return }
        services.metrics.recordMisprediction()
        views[index].prepareCorrection(at: now)
        enqueueUpdate(ofViewAt: index)
    }
}
