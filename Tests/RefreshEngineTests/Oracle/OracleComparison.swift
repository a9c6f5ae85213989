/// Follows the original, the amended original and ours through one run, and compares them record by
/// record.
///
/// Ours is held against the recording. Where it differs, the amended original must do the same, the
/// original itself what was recorded, and a row that is open must name the field: one that departed
/// at this record, or at an earlier one since when both have not been in the same state.
struct OracleComparison<Model: OracleModel, Player: OraclePlayer> {
    private var original: Model
    private var declared: Model
    private var ours: Player
    private let rows: [String: OracleRow<Model>]
    private var book = LoadBook()
    private var open: Set<String> = []
    private var tally = OracleTally()

    init(original: Model, declared: Model, ours: Player, rows: [OracleRow<Model>]) {
        self.original = original
        self.declared = declared
        self.ours = ours
        self.rows = Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) })
        open = declared.drainSchedule
    }

    mutating func compare(_ run: OracleRun) throws -> OracleTally {
        for (index, record) in run.records.enumerated() {
            guard let event = record.event else {
                let excused = compare(
                    record.moment, original: record.moment,
                    declared: Moment(after: declared.after), ours: Moment(after: ours.after),
                    at: "\(run.name), set-up")
                // No event is there yet on which a row could be held against ours.
                for id in excused { tally.rows[id, default: 0] -= 1 }
                continue
            }
            let place = "\(run.name), record \(index - 1) \(event.type)"
            try follow(event, record, isHorizontal: run.trace.isHorizontal, at: place)
        }
        return tally
    }

    private mutating func follow(
        _ event: OracleTrace.Event, _ record: OracleRun.Recorded, isHorizontal: Bool,
        at place: String
    ) throws {
        let number = LoadBook.number(for: event, among: original.loads)
        let partner = book.partner(of: number, for: event, in: declared)
        func step(_ load: Int?) throws -> OracleStep {
            try OracleStep(event, of: record, isHorizontal: isHorizontal, load: load)
        }
        let before = declared
        let theirs = original.handle(try step(number))
        let expected = declared.handle(try step(partner))
        let actual = ours.handle(try step(partner), at: event.t)
        if let offset = record.clamped {
            original.clamped(to: offset)
            declared.clamped(to: offset)
            ours.clamped(to: offset, at: event.t)
        }
        open.formUnion(declared.drainSchedule)
        if partner == nil { open.formUnion(book.reasons(for: number)) }
        book.note(original: original, declared: declared, open: open)
        if OracleFolder.isVerbose {
            print("§", place, event)
            print("§   theirs", theirs, "\n§   declared", expected, "\n§   ours", actual)
        }
        let excused = compare(
            record.moment, original: theirs, declared: expected, ours: actual, at: place)
        let situation = OracleRow<Model>.Situation(
            event: event, before: before, after: declared, ours: actual,
            results: ours.results, moreShown: ours.moreShown, theirs: record.moment,
            differing: actual.differences(from: record.moment))
        check(situation, at: place)
        checkApart(excused.subtracting(declared.drainSchedule), situation, at: place)
        if declared.isTogether(with: original) { open = [] }
    }

    /// Returns the rows that excuse a difference here.
    private mutating func compare(
        _ theirs: Moment, original: Moment, declared: Moment, ours: Moment, at place: String
    ) -> Set<String> {
        tally.compared += 1
        let differing = ours.differences(from: theirs)
        // Where the rules do not know the original they cannot tell of ours.
        let unknown = original.differences(from: theirs)
        var wrong = ours.differences(from: declared).subtracting(unknown)
        wrong.formUnion(differing.intersection(unknown))
        let named = open.reduce(into: Set<OracleField>()) {
            $0.formUnion(rows[$1]?.fields ?? [])
        }
        let unnamed = differing.subtracting(named).subtracting(wrong)
        for field in wrong.union(unnamed).sorted(by: { $0.rawValue < $1.rawValue }) {
            tally.failures.append(
                """
                \(place), \(field): theirs \(theirs.text(of: field)), \
                ours \(ours.text(of: field)), declared \(declared.text(of: field)) by \(open.sorted())
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

    /// The rows that account for a difference: those that departed just now, before older ones.
    private func responsible(for fields: Set<OracleField>) -> Set<String> {
        let naming = open.filter { !(rows[$0]?.fields ?? []).isDisjoint(with: fields) }
        let fresh = naming.intersection(declared.drainSchedule)
        return fresh.isEmpty ? naming : fresh
    }

    /// Holds the rows that departed earlier and excuse a difference here against the situation and
    /// ours.
    private mutating func checkApart(
        _ excusing: Set<String>, _ situation: OracleRow<Model>.Situation, at place: String
    ) {
        for id in excusing.sorted() {
            guard let row = rows[id] else { continue }
            tally.asserted[id, default: 0] += 1
            guard !row.apart(situation) else { continue }
            tally.failures.append(
                "\(place): \(id), while apart, does not hold of ours: \(situation.ours.deeds), "
                    + "\(situation.ours.after), differing in \(situation.differing), "
                    + "theirs \(situation.theirs.deeds), \(situation.theirs.after)")
        }
    }

    /// Holds the rows that departed against the situation and ours.
    private mutating func check(_ situation: OracleRow<Model>.Situation, at place: String) {
        for id in declared.drainSchedule.sorted() {
            guard let row = rows[id] else {
                tally.failures.append("\(place): no row \(id)")
                continue
            }
            tally.asserted[id, default: 0] += 1
            if !row.applies(situation) {
                tally.failures.append("\(place): \(id) does not apply here")
            } else if !row.ours(situation) {
                tally.failures.append(
                    "\(place): \(id) does not hold of ours: \(situation.ours.deeds), "
                        + "\(situation.ours.after)")
            }
        }
    }
}
