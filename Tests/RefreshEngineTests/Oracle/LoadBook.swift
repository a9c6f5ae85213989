/// Which load of ours an event of a trace is about: traces name the original's, by number.
///
/// After the two have parted ours may have started more loads or fewer, so they are matched one by
/// one: the original's with the newest of ours of the same kind that has no partner.
struct LoadBook {
    /// The partner of each of the original's loads.
    private var partners: [Int?] = []
    /// The verdicts that were open when the original started each of its loads.
    private var reasons: [Set<String>] = []

    /// Which of the original's loads an event names, nil if none.
    static func number(
        for event: OracleTrace.Event, among loads: [Moment.Control]
    ) -> Int? {
        if let request = event.request { return loads.indices.contains(request) ? request : nil }
        let control: Moment.Control = event.type.hasPrefix("loadMore") ? .loadMore : .refresh
        let numbers = loads.indices.filter { loads[$0] == control }
        guard let call = event.call else { return numbers.last }
        return numbers.indices.contains(call) ? numbers[call] : nil
    }

    /// Ours for the original's load `number`, or, without one, the one that runs without a partner.
    mutating func partner(
        of number: Int?, for event: OracleTrace.Event, in declared: some OracleModel
    ) -> Int? {
        // What stops whatever runs names no load.
        if !declared.namesLoads { return declared.runningLoad(.refresh) }
        if let number, let partner = partners[number] { return partner }
        let isMore = event.type.hasPrefix("loadMore")
        let running = declared.runningLoad(isMore ? .loadMore : .refresh)
        guard event.request == nil || number != nil, let running, !partners.contains(running)
        else { return nil }
        if let number { partners[number] = running }
        return running
    }

    /// Takes down the loads that were started by an event.
    mutating func note(
        original theirs: some OracleModel, declared ours: some OracleModel, open: Set<String>
    ) {
        let (original, declared) = (theirs.loads, ours.loads)
        defer { pair(theirs, ours) }
        while partners.count < original.count {
            let control = original[partners.count]
            let free = declared.indices.last {
                declared[$0] == control && !partners.contains($0)
            }
            partners.append(free)
            reasons.append(open)
        }
    }

    /// What runs at both is the same, whoever started it when.
    private mutating func pair(_ theirs: some OracleModel, _ ours: some OracleModel) {
        for control in [Moment.Control.refresh, .loadMore] {
            guard let load = theirs.runningLoad(control), let own = ours.runningLoad(control),
                partners[load] == nil, !partners.contains(own)
            else { continue }
            partners[load] = own
        }
    }

    /// Why ours has no such load.
    func reasons(for number: Int?) -> Set<String> { number.map { reasons[$0] } ?? [] }
}
