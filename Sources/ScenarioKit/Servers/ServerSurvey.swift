package import RefreshProtocol

/// The features that a server announces. `refresh-probe` queries these features before the tests.
package struct ServerSurvey: Sendable {
    /// The server's `welcome`.
    package let welcome: JSONValue
    /// Whether the server issues sealed snapshots.
    package let sealsSnapshots: Bool
    /// Whether the server accepts more than one connection.
    let hasConnections: Bool

    /// Sends `hello` to the server and queries its features.
    ///
    /// - Throws: if no server is reachable, or if the server does not implement the protocol.
    package init(
        _ server: ServerUnderTest, timeoutMs: Double
    ) async throws(StepFailure) {
        let peer = server.makePeer()
        var run = ScenarioRun(peer: peer)
        let outcome: Result<JSONValue, StepFailure>
        do throws(StepFailure) {
            try await run.sendText(
                #"{"type":"hello","protocol":1,"client":"refresh-probe","features":[],"#
                    + #""snapshots":true}"#)
            let deadline = run.now(plus: timeoutMs)
            while run.messages.first(where: { $0.type == "welcome" }) == nil {
                guard try await run.receive(until: deadline) else {
                    throw StepFailure(
                        expected: "welcome",
                        came: run.closeEvent?.description ?? run.messages.last?.value.text
                            ?? "nothing"
                    )
                }
            }
            try await run.sendText(#"{"type":"snapshot"}"#)
            try await run.synchronise()
            outcome = .success(run.messages.first { $0.type == "welcome" }?.value ?? .null)
        } catch {
            outcome = .failure(error)
        }
        await Self.endSession(&run, timeoutMs)
        await peer.close()
        welcome = try outcome.get()
        sealsSnapshots = run.messages.contains { $0.type == "snapshot" }
        hasConnections = server.address != nil
    }

    /// Sends `bye` and waits until the server has closed the connection, because a server may limit
    /// the number of connections.
    private static func endSession(_ run: inout ScenarioRun, _ timeoutMs: Double) async {
        do throws(StepFailure) {
            try await run.sendText(#"{"type":"bye"}"#)
            let deadline = run.now(plus: timeoutMs)
            while run.closeEvent == nil, try await run.receive(until: deadline) {}
        } catch {
            // An error means that the server has already closed the connection.
        }
    }

    /// Returns a member of `welcome.limits`. Nil if the server does not announce it.
    package func limit(_ name: String) -> Double? { welcome["limits"]?[name]?.number }

    /// Returns the first requirement that the server does not meet. Nil if the server meets all
    /// requirements.
    package func unmetRequirement(for requirements: [ServerRequirement]) -> ServerRequirement? {
        requirements.first { !meets($0) }
    }

    private func meets(_ requirement: ServerRequirement) -> Bool {
        switch requirement {
        case .feed(let name): names("feeds").contains(name)
        case .profile(let name): names("profiles").contains(name)
        case .indicator(let name): names("indicators").contains(name)
        case .features(let wanted):
            welcome["features"] != nil && Set(names("features")).isSuperset(of: wanted)
        case .snapshots: sealsSnapshots
        case .connections: hasConnections
        case .limitAtMost(let name, let bound):
            limit(name).map { $0 > 0 && $0 <= bound } ?? false
        }
    }

    private func names(_ field: String) -> [String] {
        welcome[field]?.array?.compactMap(\.string) ?? []
    }
}
