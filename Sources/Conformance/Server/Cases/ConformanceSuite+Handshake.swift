internal import ScenarioKit

extension ConformanceSuite {
    /// The cases of a group that are written in Swift, and not in a file of the suite.
    static func nonScriptCases(_ group: ConformanceGroup) -> [ConformanceCase] {
        allNonScriptCases.filter { $0.group == group }
    }

    private static let allNonScriptCases =
        handshake + limits + floods + items + tokens + clocks + releasePaths + law + patches
        + liveOperations + editBounds

    /// Cases that test the layers below the protocol's messages.
    private static let handshake = HandshakeProbe.all.enumerated().map { index, probe in
        ConformanceCase(
            id: "handshake-\(index < 9 ? "0" : "")\(index + 1)", group: .handshake,
            name: probe.id, description: probe.description, expectation: probe.expectation,
            reference: probe.reference, level: .must,
            requirements: probe.awaitedLimit.map { [.limitAtMost($0, awaitedMsMax)] } ?? [],
            durationMsMin: probe.awaitedLimit == nil ? 0 : awaitedMsMax, body: .probe(probe))
    }

    /// The longest timeout of a server for which a case waits, in milliseconds.
    private static let awaitedMsMax = 20_000.0
}
