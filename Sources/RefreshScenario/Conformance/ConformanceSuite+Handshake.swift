extension ConformanceSuite {
    /// Cases that are no scripts.
    static func exchanges(_ group: ConformanceGroup) -> [ConformanceCase] {
        switch group {
        case .handshake: handshake
        case .limits: limits + floods
        case .paging: items
        case .resume: tokens
        default: []
        }
    }

    /// What is probed below the messages.
    private static let handshake = HandshakeProbe.all.enumerated().map { index, probe in
        ConformanceCase(
            id: "handshake-\(index < 9 ? "0" : "")\(index + 1)", group: .handshake,
            name: probe.id, description: probe.description, expectation: probe.expectation,
            reference: probe.reference, level: .must,
            requirements: probe.isSlow ? [.limitAtMost(slowLimit(of: probe), 20_000)] : [],
            patienceMs: probe.isSlow ? 20_000 : 0, body: .probe(probe))
    }

    /// What a slow probe waits for.
    private static func slowLimit(of probe: HandshakeProbe) -> String {
        probe.reference.hasSuffix("#hello") ? "helloTimeoutMs" : "headTimeoutMs"
    }
}
