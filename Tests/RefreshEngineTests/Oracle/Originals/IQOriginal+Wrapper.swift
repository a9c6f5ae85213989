/// The paging wrapper of IQPullToRefresh: a delegate that requests pages and counts the received
/// items. `departs(_:)` selects the behaviour that a verdict demands (see `OracleModel`).
extension IQOriginal {
    struct Wrapper: Equatable {
        var style: String
        var pageSize: Int
        var state = "none"
        /// The number of items in the list.
        var count = 0
        /// The number of accepted pages.
        var pages = 0
        /// Whether load more was enabled before the running refresh.
        var wasEnabled = false

        init(_ wrapper: OracleTrace.Wrapper) {
            style = wrapper.pageOffsetStyle
            pageSize = wrapper.pageSize
        }

        /// The number of the first page, or of the first item. -1 without pages.
        var first: Int { style == "none" ? -1 : style.hasSuffix("From1") ? 1 : 0 }

        var isFull: Bool { count > 0 && count.isMultiple(of: pageSize) }
    }

    mutating func triggerWrapper(_ control: Moment.Control) {
        guard let wrapper = state.wrapper else { return }
        var number = wrapper.first
        if control == .refresh {
            state.wrapper?.wasEnabled = state.approach.isEnabled
            if let load = state.approach.load { answers[load].outcome = .superseded }
            turnMore(false, outcome: .superseded)
        } else {
            guard wrapper.style != "none" else { return end(.loadMore, outcome: .answered) }
            if !wrapper.count.isMultiple(of: wrapper.pageSize), !departs("IQ-20") {
                end(.loadMore, outcome: .answered)
                return turnMore(false, outcome: .answered)
            }
            number += nextNumber(wrapper)
        }
        begin(control)
        startLoad(control)
        announce(control == .refresh ? "refreshing" : "moreLoading")
        actions.append(.request(page: number, size: wrapper.pageSize))
    }

    private mutating func nextNumber(_ wrapper: Wrapper) -> Int {
        if wrapper.style.hasPrefix("offset") { return wrapper.count }
        let counted = wrapper.count / wrapper.pageSize
        return counted != wrapper.pages && departs("IQ-20") ? wrapper.pages : counted
    }

    private mutating func announce(_ name: String) {
        state.wrapper?.state = name
        actions.append(.wrapperState(name))
    }

    private mutating func turnMore(_ isOn: Bool, outcome: Load.Outcome) {
        if !isOn { end(.loadMore, outcome: outcome) }
        state.approach.isEnabled = isOn
    }

    /// Handles the answer to a request.
    mutating func answer(_ load: Int, isSuccess: Bool, count: Int) {
        guard answers.indices.contains(load) else { return }
        let control = answers[load].control
        if load != self[control].load, isDropped(load) { return }
        let isReal = self[control].isEnabled && self[control].state == .refreshing
        if answers[load].outcome == .open { answers[load].outcome = .answered }
        finish(control, isSuccess: isSuccess)
        announce("none")
        guard isReal, let wrapper = state.wrapper else { return }
        guard isSuccess else {
            if control == .refresh, wrapper.wasEnabled, departs("IQ-2") {
                state.approach.isEnabled = true
            }
            actions.append(.models(success: false, count: nil))
            return
        }
        accept(count, for: control, of: wrapper)
    }

    /// Whether the engine drops an answer to a load that does not run. The original accepts this
    /// answer.
    private mutating func isDropped(_ load: Int) -> Bool {
        if self[answers[load].control].load != nil { return departs("IQ-4") }
        switch answers[load].outcome {
        case .superseded: return departs("IQ-3")
        case .stopped: return departs("IQ-6")
        case .open, .answered: return departs("IQ-21")
        }
    }

    private mutating func accept(_ count: Int, for control: Moment.Control, of old: Wrapper) {
        let total = control == .refresh ? count : old.count + count
        state.wrapper?.count = total
        state.wrapper?.pages = control == .refresh ? 1 : old.pages + 1
        actions.append(.models(success: true, count: total))
        // After a refresh, the library's observer of the items runs last and decides whether load
        // more is enabled. After the load of a page, the observer runs first, and the size of the
        // page decides.
        let isWhole = count == old.pageSize && (control == .loadMore || old.style != "none")
        var isOn = control == .refresh ? state.wrapper?.isFull == true : isWhole
        // In the original, the observer enables load more. A page that is not full then disables
        // it.
        if control == .loadMore, state.wrapper?.isFull == true, !isWhole { _ = departs("IQ-21") }
        let isBetter = count >= old.pageSize && old.style != "none"
        if isOn != isBetter, departs(old.style == "none" ? "IQ-1" : "IQ-20") { isOn = isBetter }
        turnMore(isOn, outcome: .answered)
        if !isOn, state.approach.state != .none, departs("IQ-8") { show(.loadMore, .none) }
    }

    /// Ends the state of the wrapper after its load was stopped. The original keeps the state until
    /// the answer.
    mutating func wrapperStopped() {
        guard let wrapper = state.wrapper, wrapper.state != "none",
            state.pull.load == nil, state.approach.load == nil, departs("IQ-6")
        else { return }
        announce("none")
        if wrapper.state == "refreshing" { state.approach.isEnabled = wrapper.wasEnabled }
    }

    mutating func setPageSize(_ size: Int) {
        state.wrapper?.pageSize = size
        state.wrapper?.count = 0
        state.wrapper?.pages = 0
        state.wrapper?.wasEnabled = false
        turnMore(false, outcome: .stopped)
        wrapperStopped()
        actions.append(.models(success: true, count: 0))
    }
}
