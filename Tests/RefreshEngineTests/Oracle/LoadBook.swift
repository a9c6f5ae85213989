/// Finds the engine's load that an event of a trace refers to. Traces contain the numbers of the
/// loads of the original, which is the recorded library.
///
/// After a difference the engine may have started more or fewer loads, so loads are matched one by
/// one. A load of the original is matched with the engine's newest load of the same kind that has
/// no partner.
struct LoadBook {
    /// The partner of each of the original's loads.
    private var partners: [Int?] = []
    /// For each load of the original, the rows that were open at its start (see
    /// `OracleComparison`).
    private var reasons: [Set<String>] = []

    /// The number of the original's load in an event; nil if there is none.
    static func number(
        for event: OracleTrace.Event, among loads: [Moment.Control]
    ) -> Int? {
        if let request = event.request { return loads.indices.contains(request) ? request : nil }
        let control: Moment.Control = event.type.hasPrefix("loadMore") ? .loadMore : .refresh
        let numbers = loads.indices.filter { loads[$0] == control }
        guard let call = event.call else { return numbers.last }
        return numbers.indices.contains(call) ? numbers[call] : nil
    }

    /// Returns the partner of the original's load `number`. If there is no number, returns the
    /// running load that has no partner.
    mutating func partner(
        of number: Int?, for event: OracleTrace.Event, in declared: some OracleModel
    ) -> Int? {
        // If events contain no numbers, an event stops the load that runs.
        if !declared.namesLoads { return declared.runningLoad(.refresh) }
        if let number, let partner = partners[number] { return partner }
        let isMore = event.type.hasPrefix("loadMore")
        let running = declared.runningLoad(isMore ? .loadMore : .refresh)
        guard event.request == nil || number != nil, let running, !partners.contains(running)
        else { return nil }
        if let number { partners[number] = running }
        return running
    }

    /// Records the loads that an event has started.
    mutating func record(
        original originalModel: some OracleModel, declared declaredModel: some OracleModel,
        open: Set<String>
    ) {
        let (original, declared) = (originalModel.loads, declaredModel.loads)
        defer { pair(originalModel, declaredModel) }
        while partners.count < original.count {
            let control = original[partners.count]
            let free = declared.indices.last {
                declared[$0] == control && !partners.contains($0)
            }
            partners.append(free)
            reasons.append(open)
        }
    }

    /// Matches loads of the same kind that run in both models, even if they started at different
    /// events.
    private mutating func pair(_ original: some OracleModel, _ declared: some OracleModel) {
        for control in [Moment.Control.refresh, .loadMore] {
            guard let load = original.runningLoad(control),
                let partner = declared.runningLoad(control),
                partners[load] == nil, !partners.contains(partner)
            else { continue }
            partners[load] = partner
        }
    }

    /// The rows because of which the engine has no partner of this load.
    func reasons(for number: Int?) -> Set<String> { number.map { reasons[$0] } ?? [] }
}
