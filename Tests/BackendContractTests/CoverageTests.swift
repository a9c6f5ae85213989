import RefreshProtocol
import Testing

/// Which kind shows what, written down: a behaviour that silently left the suite is a mistake.
@Suite("The coverage of the contract")
struct CoverageTests {
    private static let failures = Set(Behaviour.failures)

    /// Of the kinds that speak the line protocol.
    private static let spoken: Set<Behaviour> = [
        .list, .empty, .verbatim, .duplicates, .lifetime, .echo, .failing(.backendFailed),
        .failing(.backendBusy, retryAfterMs: 3000), .failing(.backendRejected), .progress,
        .hanging, .garbage, .wrongTypes, .halfAnswer, .gigabyte, .dying,
    ]

    /// All that each kind shows. What is absent, and why:
    /// - a `client` shows its items itself, so that the daemon never sees their bytes;
    /// - `demo` has no answers but its list, and a request for it can be wrong only in its cursor;
    /// - a `file` does not see the request, says nothing of lifetimes and progress, and as a
    ///   regular file neither hangs nor drips nor dies;
    /// - `http` has no way to tell progress, and alone knows redirects and a deadline for the
    ///   answer;
    /// - `sqlite` writes its JSON itself, so that there is nothing odd about it and no half of it,
    ///   and says nothing of lifetimes and progress;
    /// - a process of `exec` and a `worker` have three ways to say that they failed; what a worker
    ///   says comes whole;
    /// - a `script` does not see the request, and is held in memory as a whole.
    private static let table: [String: Set<Behaviour>] = [
        "client": [.list, .empty, .echo, .failing(.backendFailed), .hanging, .garbage],
        "demo": [.list, .empty, .failing(.backendRejected)],
        "file": [
            .list, .empty, .verbatim, .duplicates, .failing(.backendUnavailable),
            .failing(.backendRejected), .garbage, .wrongTypes, .halfAnswer, .gigabyte,
        ],
        "http": failures.union([
            .list, .empty, .verbatim, .duplicates, .lifetime, .echo, .hanging, .garbage,
            .wrongTypes, .halfAnswer, .gigabyte, .dripping, .redirecting, .trickling, .dying,
        ]),
        "sqlite": [
            .list, .empty, .duplicates, .echo, .failing(.backendUnavailable),
            .failing(.backendBusy), .failing(.backendRejected), .hanging, .garbage, .wrongTypes,
            .gigabyte, .dying,
        ],
        "exec": spoken.union([.dripping]),
        "worker": spoken,
        "script": failures.union([
            .list, .empty, .verbatim, .duplicates, .lifetime, .progress, .hanging, .garbage,
            .wrongTypes, .halfAnswer,
        ]),
    ]

    @Test("is exactly this table")
    func table() {
        let covered =
            ContractSubject.all.map { ($0.kind, $0.covered) }
            + [("client", Set(ClientContractTests.covered))]
        #expect(Dictionary(uniqueKeysWithValues: covered) == Self.table)
    }

    @Test("leaves no behaviour to nobody", arguments: Behaviour.all)
    func shown(_ behaviour: Behaviour) {
        #expect(ContractSubject.all.contains { $0.covered.contains(behaviour) })
    }
}
