extension ConformanceSuite {
    /// Cases that are no scripts.
    static func exchanges(_ group: ConformanceGroup) -> [ConformanceCase] {
        written.filter { $0.group == group }
    }

    private static let written =
        handshake + limits + floods + items + tokens + clocks + ways + law

    /// What is probed below the messages.
    private static let handshake = HandshakeProbe.all.enumerated().map { index, probe in
        ConformanceCase(
            id: "handshake-\(index < 9 ? "0" : "")\(index + 1)", group: .handshake,
            name: probe.id, description: probe.description, expectation: probe.expectation,
            reference: probe.reference, level: .must,
            requirements: probe.awaitedLimit.map { [.limitAtMost($0, awaitedMsMax)] } ?? [],
            patienceMs: probe.awaitedLimit == nil ? 0 : awaitedMsMax, body: .probe(probe))
    }

    /// How long a time-out of the server's is waited for at most.
    private static let awaitedMsMax = 20_000.0
}
