import RefreshProtocol
import Testing

/// Comparisons of a run with the engine and with the rules. The rules are the model of the recorded
/// library, and an amendment replaces one behaviour in them (see `OracleModel`).
extension OracleRun {
    /// The names of the rows of both tables of differences (see `OracleRow`), without repetition:
    /// both tables have a row IQ-18.
    static var rowNames: [String] {
        let names = IQTable.rows.map(\.id)
        return names + MRTable.rows.map(\.id).filter { !names.contains($0) }
    }

    static func all() throws -> [OracleRun] {
        try OracleFolder.Peer.allCases.flatMap { peer in
            try OracleFolder.names(of: peer).flatMap { try runs(of: peer, $0) }
        }
    }

    /// Compares the engine with the run. `extraLength` points are added to the lengths of the
    /// engine's edges.
    func compared(extraLength: Double) throws -> OracleTally {
        try compared { config in
            EngineAdapter(trace, .init(config, axis: axis, extraLength: extraLength))
        } mrefresh: { config in
            EngineAdapter(
                trace,
                .init(config, version: version, axis: axis, extraLength: extraLength))
        }
    }

    private var axis: Axis { trace.isHorizontal ? .horizontal : .vertical }

    /// Compares the run with the rules instead of the engine. The rules have the given amendments.
    func compared(amendments: Set<String>) throws -> OracleTally {
        try compared { config in
            ModelPlayer(IQOriginal(trace, config, amendments: amendments))
        } mrefresh: { config in
            ModelPlayer(MROriginal(trace, config, version: version, amendments: amendments))
        }
    }

    private func compared(
        iqpulltorefresh: (OracleTrace.IQ) -> some OraclePlayer,
        mrefresh: (OracleTrace.MR) -> some OraclePlayer
    ) throws -> OracleTally {
        let all = Set(Self.rowNames)
        switch peer {
        case .iqpulltorefresh:
            let config = try #require(trace.config.iqpulltorefresh)
            var comparison = OracleComparison(
                original: IQOriginal(trace, config, amendments: []),
                declared: IQOriginal(trace, config, amendments: all),
                engine: iqpulltorefresh(config), rows: IQTable.rows)
            return try comparison.compare(self)
        case .mrefresh:
            let config = try #require(trace.config.mrefresh)
            var comparison = OracleComparison(
                original: MROriginal(trace, config, version: version, amendments: []),
                declared: MROriginal(trace, config, version: version, amendments: all),
                engine: mrefresh(config), rows: MRTable.rows)
            return try comparison.compare(self)
        }
    }

    /// Returns the records at which the rules with the given amendments differ from the recording.
    func departures(of amendments: Set<String>) throws -> [String] {
        switch peer {
        case .iqpulltorefresh:
            let config = try #require(trace.config.iqpulltorefresh)
            return try departures(of: IQOriginal(trace, config, amendments: amendments))
        case .mrefresh:
            let config = try #require(trace.config.mrefresh)
            return try departures(
                of: MROriginal(trace, config, version: version, amendments: amendments))
        }
    }

    private func departures(of model: some OracleModel) throws -> [String] {
        var model = model
        var found: [String] = []
        for (index, record) in records.enumerated() {
            guard let event = record.event else { continue }
            let step = try OracleStep(
                event, of: record, isHorizontal: trace.isHorizontal,
                load: LoadBook.number(for: event, among: model.loads))
            let moment = model.handle(step)
            if let offset = record.clamped { model.clamped(to: offset) }
            for field in moment.differences(from: record.moment) {
                found.append(
                    """
                    \(name), record \(index - 1) \(event.type), \(field): \
                    original \(record.moment.text(of: field)), rules \(moment.text(of: field))
                    """)
            }
        }
        return found
    }
}
