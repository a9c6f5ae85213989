/// Runs without a recording. The rules of the original library, which `OracleModel` describes,
/// predict the reactions.
extension OracleRun {
    static func rehearsals() throws -> [OracleRun] {
        try OracleFolder.rehearsals().flatMap { trace in
            try OracleFolder.Peer.allCases.filter { trace.peers.contains($0.rawValue) }
                .flatMap { peer in
                    try peer.versions.map { try OracleRun(peer: peer, version: $0, trace: trace) }
                }
        }
    }

    /// - Throws: if an event of the trace is unknown.
    init(peer: OracleFolder.Peer, version: String, trace: OracleTrace) throws {
        self.init(peer: peer, version: version, trace: trace, records: [])
        if let config = trace.config.iqpulltorefresh, peer == .iqpulltorefresh {
            try record(IQOriginal(trace, config, amendments: []))
        }
        if let config = trace.config.mrefresh, peer == .mrefresh {
            try record(MROriginal(trace, config, version: version, amendments: []))
        }
    }

    private mutating func record(_ model: some OracleModel) throws {
        var model = model
        var app = Moment.Sides()
        records = [Recorded(moment: Moment(after: model.after), appInsets: app)]
        for event in trace.events {
            if event.type == "setContentInset" {
                app =
                    trace.isHorizontal
                    ? Moment.Sides(start: event.left ?? 0, end: event.right ?? 0)
                    : Moment.Sides(start: event.top ?? 0, end: event.bottom ?? 0)
            }
            var record = Recorded(
                event: event, moment: Moment(after: model.after), appInsets: app,
                refreshLength: event.refreshLength)
            // The initial state of a new control, if the event creates one.
            record.moment.after.pull.state =
                event.initialState.flatMap { Moment.PeerState($0, progress: nil) } ?? .none
            let step = try OracleStep(
                event, of: record, isHorizontal: trace.isHorizontal,
                load: LoadBook.number(for: event, among: model.loads))
            record.moment = model.handle(step)
            records.append(record)
        }
    }
}
