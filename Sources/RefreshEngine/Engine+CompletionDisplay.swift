import RefreshProtocol

/// The completion display: what is shown after the load of a refresh has ended. Explicit requests
/// do not wait for the end of the completion display: a requested load, for example, begins during
/// it.
extension Engine {
    /// The first phase of the completion display after a load with this result.
    func completionDisplay(of result: LoadResult, at now: Instant) -> RefreshFact.CompletionDisplay
    {
        guard let options = options.refresh else { return .rest }
        switch result {
        case .cancelled, .refused: return closingDisplay(at: now, animated: true)
        case .success, .empty, .noMore, .failed, .timedOut: break
        }
        if now < refresh.shownAt.advanced(byMilliseconds: options.minVisible) { return .linger }
        return holdDuration(of: result) > 0 ? .hold : closingDisplay(at: now, animated: true)
    }

    /// Advances the completion display after its deadline has passed.
    mutating func advanceCompletionDisplay(at now: Instant, into effects: inout [Effect]) {
        deadlines.completionDisplay = .never
        switch refresh.phase {
        case .lingering(let result) where holdDuration(of: result) > 0:
            applyToRefresh(.timeUp(.hold), at: now, into: &effects)
        case .lingering, .held:
            applyToRefresh(
                .timeUp(closingDisplay(at: now, animated: true)), at: now, into: &effects)
        case .finishing: applyToRefresh(.timeUp(.rest), at: now, into: &effects)
        case .disabled, .idle, .pulling, .eligible, .waiting, .triggered, .refreshing: return
        }
        if case .held = refresh.phase { scheduleCompletionDisplay(at: now) }
    }

    /// The next phase of the completion display. It is `.finish` if closing the indicator takes
    /// time, and `.rest` if it does not.
    func closingDisplay(at now: Instant, animated: Bool) -> RefreshFact.CompletionDisplay {
        closingEnd(at: now, animated: animated) == nil ? .rest : .finish
    }

    /// The time at which the indicator has closed. Nil if closing takes no time; `never` if the end
    /// of closing does not depend on time.
    private func closingEnd(at now: Instant, animated: Bool) -> Instant? {
        guard let options = options.refresh else { return nil }
        switch options.closing {
        case .atOnce: return nil
        case .animated:
            guard animated, options.insetDuration > 0 else { return nil }
            return now.advanced(byMilliseconds: options.insetDuration)
        case .atRelease: return gesture.isFingerDown ? .never : nil
        case .atStep:
            let step = Int64(options.step) * 1000
            guard step > 0 else { return nil }
            let rest = (now.microseconds - refresh.shownAt.microseconds) % step
            return rest == 0 ? nil : Instant(microseconds: now.microseconds + step - rest)
        }
    }

    private func holdDuration(of result: LoadResult) -> UInt32 {
        guard let options = options.refresh else { return 0 }
        return result.isAccepted ? options.successHold : options.failureHold
    }

    /// Sets the deadline of the phase that the completion display has entered.
    mutating func scheduleCompletionDisplay(animated: Bool = true, at now: Instant) {
        guard let options = options.refresh else { return deadlines.completionDisplay = .never }
        switch refresh.phase {
        case .lingering:
            deadlines.completionDisplay = refresh.shownAt.advanced(
                byMilliseconds: options.minVisible)
        case .held(let result):
            deadlines.completionDisplay = now.advanced(byMilliseconds: holdDuration(of: result))
        case .finishing:
            deadlines.completionDisplay = closingEnd(at: now, animated: animated) ?? now
        case .disabled, .idle, .pulling, .eligible, .waiting, .triggered, .refreshing:
            deadlines.completionDisplay = .never
        }
    }
}
