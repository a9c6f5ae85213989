/// A recorded run: a trace, and an original's reactions to it.
struct OracleRun {
    /// The original: the library that was recorded.
    var peer: OracleFolder.Peer
    var version: String
    var trace: OracleTrace
    var records: [Recorded]

    /// The effects of an event, and of timers before the next one.
    struct Recorded {
        /// Nil for the set-up.
        var event: OracleTrace.Event?
        var moment: Moment
        var appInsets: Moment.Sides
        /// The length of the refresh control, if the record contains it.
        var refreshLength: Double?
        /// The offset to which the view itself has moved the list, to keep it in its range.
        var clamped: Double?
    }

    var name: String { "\(trace.name) \(version)" }

    /// The runs of `peer` on the trace with the name `name`, one for each recorded version.
    static func runs(of peer: OracleFolder.Peer, _ name: String) throws -> [OracleRun] {
        let trace = try OracleFolder.read(OracleTrace.self, "traces/\(name).json")
        let path = "\(peer.rawValue)/\(name).json"
        switch peer {
        case .iqpulltorefresh:
            let recording = try OracleFolder.read(OracleRecording.self, path)
            return [OracleRun(peer, "3.0.3", trace, recording)]
        case .mrefresh:
            let versions = try OracleFolder.read(OracleRecording.Versions.self, path).runs
            return versions.sorted { $0.key < $1.key }
                .map { OracleRun(peer, $0.key, trace, $0.value) }
        }
    }

}

extension OracleRun {
    fileprivate init(
        _ peer: OracleFolder.Peer, _ version: String, _ trace: OracleTrace,
        _ recording: OracleRecording
    ) {
        self.init(peer: peer, version: version, trace: trace, records: [])
        var reader = OracleReader(peer: peer, trace: trace)
        for record in recording.records {
            let moment = reader.read(record)
            let event = record.i < 0 ? nil : trace.events[record.i]
            if event == nil, let last = records.indices.last {
                records[last].moment.actions += moment.actions
                records[last].moment.after = moment.after
            } else {
                records.append(
                    Recorded(
                        event: event, moment: moment, appInsets: reader.appInsets,
                        refreshLength: record.after.refresh?.length))
            }
            guard event?.type != "scroll", record.event != "setup", let offset = record.after.offset
            else { continue }
            records[records.count - 1].clamped = offset[trace.isHorizontal ? 0 : 1]
        }
    }
}
