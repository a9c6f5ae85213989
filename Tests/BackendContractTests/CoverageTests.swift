import RefreshProtocol
import Testing

/// Compares the behaviours that the suite tests for each kind of backend with a table, so that no
/// behaviour can leave the suite unnoticed.
@Suite("The coverage of the contract")
struct CoverageTests {
    private static let failures = Set(Behaviour.failures)

    /// The behaviours of the kinds that use the line protocol.
    private static let spoken: Set<Behaviour> = [
        .list, .empty, .verbatim, .duplicates, .lifetime, .echo, .failing(.backendFailed),
        .failing(.backendBusy, retryAfterMs: 3000), .failing(.backendRejected), .progress,
        .hanging, .garbage, .wrongTypes, .halfAnswer, .gigabyte, .dying,
    ]

    /// The behaviours that each kind supports. The reasons for missing behaviours are:
    /// - A `client` shows its items itself, so the daemon never receives their bytes.
    /// - `demo` only has its list, and a request can be wrong only in its cursor.
    /// - A `file` does not receive the request and has no lifetime and no progress. A regular file
    ///   cannot hang, drip or end during a call.
    /// - `http` cannot report progress. It is the only kind with redirects and with a timeout for a
    ///   slow answer.
    /// - `sqlite` encodes its JSON itself. The JSON therefore has no unusual form and is never
    ///   incomplete. `sqlite` has no lifetime and no progress.
    /// - A process of `exec` and a `worker` can report only three kinds of failures. A worker's
    ///   messages always arrive complete.
    /// - A `script` does not receive the request. The script is completely in memory.
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

    @Test("Each kind of backend supports exactly the behaviours that are listed for it")
    func table() {
        let covered =
            ContractSubject.all.map { ($0.kind, $0.covered) }
            + [("client", Set(ClientContractTests.covered))]
        #expect(Dictionary(uniqueKeysWithValues: covered) == Self.table)
    }

    @Test("Every behaviour is supported by at least one kind of backend", arguments: Behaviour.all)
    func shown(_ behaviour: Behaviour) {
        #expect(ContractSubject.all.contains { $0.covered.contains(behaviour) })
    }
}
