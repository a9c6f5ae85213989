import RefreshProtocol
import Testing

/// Which kind shows what, written down: a behaviour that silently left the suite is a mistake.
@Suite("The coverage of the contract")
struct CoverageTests {
    private static let failures = Set(Behaviour.failures)

    /// All that each kind shows. What is absent, and why:
    /// - `script` and `file` see no request; a `file` says nothing of lifetimes and progress, and
    ///   a regular file neither hangs nor drips nor dies.
    private static let table: [String: Set<Behaviour>] = [
        "script": failures.union([
            .list, .empty, .verbatim, .duplicates, .lifetime, .progress, .hanging, .garbage,
            .wrongTypes, .halfAnswer,
        ]),
        "file": [
            .list, .empty, .verbatim, .duplicates, .failing(.backendUnavailable),
            .failing(.backendRejected), .garbage, .wrongTypes, .halfAnswer, .gigabyte,
        ],
    ]

    @Test("is exactly this table")
    func table() {
        let covered = ContractSubject.all.map { ($0.kind, $0.covered) }
        #expect(Dictionary(uniqueKeysWithValues: covered) == Self.table)
    }

    @Test("leaves no behaviour to nobody", arguments: Behaviour.all)
    func shown(_ behaviour: Behaviour) {
        #expect(ContractSubject.all.contains { $0.covered.contains(behaviour) })
    }
}
