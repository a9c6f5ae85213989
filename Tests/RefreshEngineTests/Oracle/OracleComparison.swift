/// Compares three parties in one recorded run, record by record. A record contains an event and the
/// reactions to it. The first party is the original, a model of the recorded library. The second
/// party is the amended original, which is this model with the differences that verdicts demand
/// (see `OracleModel`). The third party is the engine.
///
/// The engine is compared with the recording. For each difference, three conditions must be met:
/// the amended original agrees with the engine, the original agrees with the recording, and an open
/// row of the table of differences names the field. A row is open from the record at which its
/// difference first applies until both models are in the same state again.
struct OracleComparison<Model: OracleModel, Player: OraclePlayer> {
    private var original: Model
    /// The amended original.
    private var declared: Model
    private var engine: Player
    private let rows: [String: OracleRow<Model>]
    private var book = LoadBook()
    private var open: Set<String> = []
    private var tally = OracleTally()

    init(original: Model, declared: Model, engine: Player, rows: [OracleRow<Model>]) {
        self.original = original
        self.declared = declared
        self.engine = engine
        self.rows = Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) })
        open = declared.departures
    }

    mutating func compare(_ run: OracleRun) throws -> OracleTally {
        for (index, record) in run.records.enumerated() {
            guard let event = record.event else {
                let excused = compare(
                    record.moment, original: record.moment,
                    declared: Moment(after: declared.after), engine: Moment(after: engine.after),
                    at: "\(run.name), set-up")
                // The set-up has no event, so the conditions of the rows cannot be checked.
                // Therefore the set-up is not counted for any row.
                for id in excused { tally.rows[id, default: 0] -= 1 }
                continue
            }
            let location = "\(run.name), record \(index - 1) \(event.type)"
            try follow(event, record, isHorizontal: run.trace.isHorizontal, at: location)
        }
        return tally
    }

    private mutating func follow(
        _ event: OracleTrace.Event, _ record: OracleRun.Recorded, isHorizontal: Bool,
        at location: String
    ) throws {
        let number = LoadBook.number(for: event, among: original.loads)
        let partner = book.partner(of: number, for: event, in: declared)
        func step(_ load: Int?) throws -> OracleStep {
            try OracleStep(event, of: record, isHorizontal: isHorizontal, load: load)
        }
        let before = declared
        let originalMoment = original.handle(try step(number))
        let expected = declared.handle(try step(partner))
        let actual = engine.handle(try step(partner), at: event.t)
        if let offset = record.clamped {
            original.clamped(to: offset)
            declared.clamped(to: offset)
            engine.clamped(to: offset, at: event.t)
        }
        open.formUnion(declared.departures)
        if partner == nil { open.formUnion(book.reasons(for: number)) }
        book.record(original: original, declared: declared, open: open)
        if OracleFolder.isVerbose {
            print("§", location, event)
            print(
                "§   original", originalMoment, "\n§   declared", expected, "\n§   engine", actual)
        }
        let excused = compare(
            record.moment, original: originalMoment, declared: expected, engine: actual,
            at: location)
        let situation = OracleRow<Model>.Situation(
            event: event, before: before, after: declared, engine: actual,
            results: engine.results, moreShown: engine.moreShown, recorded: record.moment,
            differing: actual.differences(from: record.moment))
        check(situation, at: location)
        checkApart(excused.subtracting(declared.departures), situation, at: location)
        if declared.isTogether(with: original) { open = [] }
    }

    /// Compares the engine at one record. Returns the rows that excuse a difference at this record.
    private mutating func compare(
        _ recorded: Moment, original: Moment, declared: Moment, engine: Moment, at location: String
    ) -> Set<String> {
        tally.compared += 1
        let differing = engine.differences(from: recorded)
        // If the rules do not predict the original, they cannot predict the engine either.
        let unknown = original.differences(from: recorded)
        var wrong = engine.differences(from: declared).subtracting(unknown)
        wrong.formUnion(differing.intersection(unknown))
        let named = open.reduce(into: Set<OracleField>()) {
            $0.formUnion(rows[$1]?.fields ?? [])
        }
        let unnamed = differing.subtracting(named).subtracting(wrong)
        for field in wrong.union(unnamed).sorted(by: { $0.rawValue < $1.rawValue }) {
            tally.failures.append(
                """
                \(location), \(field): original \(recorded.text(of: field)), \
                engine \(engine.text(of: field)), declared \(declared.text(of: field)) \
                by \(open.sorted())
                """)
        }
        guard wrong.isEmpty, unnamed.isEmpty else { return [] }
        guard !differing.isEmpty else {
            tally.equal += 1
            return []
        }
        tally.declared += 1
        let excusing = responsible(for: differing)
        for row in excusing { tally.rows[row, default: 0] += 1 }
        return excusing
    }

    /// The rows that explain a difference. Rows whose difference was applied at this record take
    /// precedence over older ones.
    private func responsible(for fields: Set<OracleField>) -> Set<String> {
        let naming = open.filter { !(rows[$0]?.fields ?? []).isDisjoint(with: fields) }
        let fresh = naming.intersection(declared.departures)
        return fresh.isEmpty ? naming : fresh
    }

    /// Checks the rows that excuse a difference at this record, although their own difference was
    /// applied at an earlier record.
    private mutating func checkApart(
        _ excusing: Set<String>, _ situation: OracleRow<Model>.Situation, at location: String
    ) {
        for id in excusing.sorted() {
            guard let row = rows[id] else { continue }
            tally.asserted[id, default: 0] += 1
            guard !row.apart(situation) else { continue }
            tally.failures.append(
                "\(location): \(id), while apart, is not true of the engine: "
                    + "\(situation.engine.actions), \(situation.engine.after), "
                    + "differing in \(situation.differing), "
                    + "original \(situation.recorded.actions), \(situation.recorded.after)")
        }
    }

    /// Checks the rows whose difference was applied at this record.
    private mutating func check(_ situation: OracleRow<Model>.Situation, at location: String) {
        for id in declared.departures.sorted() {
            guard let row = rows[id] else {
                tally.failures.append("\(location): no row \(id)")
                continue
            }
            tally.asserted[id, default: 0] += 1
            if !row.applies(situation) {
                tally.failures.append("\(location): \(id) does not apply here")
            } else if !row.engine(situation) {
                tally.failures.append(
                    "\(location): \(id) is not true of the engine: \(situation.engine.actions), "
                        + "\(situation.engine.after)")
            }
        }
    }
}
