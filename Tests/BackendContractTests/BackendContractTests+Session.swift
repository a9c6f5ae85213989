import RefreshBroker
import RefreshProtocol
import Testing

/// A wrapper of a rig's backend. If the rig has a `fatal` request, this request replaces every
/// request.
struct FatalBackend: Backend {
    let rig: Rig

    func load(_ call: BackendCall) async throws(LoadFailure) -> Page {
        try await rig.backend.load(rig.fatal.map { BackendCall($0) } ?? call)
    }
}

/// The clauses of the contract that a client sees, with a real session and a real broker.
extension BackendContractTests {
    @Test(
        "A page reaches the client byte for byte, and the edge returns to idle",
        arguments: cases([.list, .verbatim]))
    func shown(_ subject: ContractCase) async throws {
        let rig = try await subject.rig()
        let backend = HeldBackend(rig.backend, isOpen: true)
        let harness = SessionHarness(backend, paging: rig.paging)
        harness.send("refresh")
        #expect(harness.states.last == "refreshing")
        #expect(await harness.awaitEnd())
        let items = try #require(harness.messages("items").first)
        let page = try #require(backend.pages.first)
        let member = #""items":"# + String(decoding: page.items, as: UTF8.self)
        #expect(harness.frames.contains { $0.contains(member) })
        #expect(items["count"]?.number == Double(page.count))
        #expect(harness.endings.isEmpty && harness.messages("items").count == 1)
        harness.advance(milliseconds: 10_000)
        #expect(harness.states.last == "idle", "\(harness.states)")
    }

    @Test(
        "A failure reaches the client with its code, and the edge returns to idle",
        arguments: cases(Behaviour.faults + Behaviour.failures))
    func named(_ subject: ContractCase) async throws {
        let rig = try await subject.rig()
        let harness = SessionHarness(FatalBackend(rig: rig), paging: rig.paging)
        harness.send("refresh")
        #expect(harness.states.last == "refreshing")
        #expect(await harness.awaitEnd())
        var code = rig.code
        var retryAfterMs: Int?
        if case .failing(let failing, let after) = subject.behaviour {
            (code, retryAfterMs) = (failing, after)
        }
        let ending = try #require(harness.endings.first)
        #expect(harness.endings.count == 1 && harness.messages("items").isEmpty)
        #expect(ending["phase"]?.string == "failed")
        #expect(ending["code"]?.string == code?.rawValue)
        #expect(ending["temporary"]?.bool == code?.isTemporary)
        #expect(ending["retryAfterMs"]?.number == retryAfterMs.map(Double.init))
        #expect(ending["message"]?.string?.isEmpty == false)
        harness.advance(milliseconds: 10_000)
        #expect(harness.states.last == "idle", "\(harness.states)")
    }

    @Test(
        "A load without an answer times out for the client, and the edge returns to idle",
        arguments: cases([.hanging]))
    func timesOut(_ subject: ContractCase) async throws {
        let rig = try await subject.rig()
        let harness = SessionHarness(rig.backend, paging: rig.paging, deadlineMs: 200)
        harness.send("refresh")
        #expect(harness.states.last == "refreshing")
        #expect(await harness.awaitEnd())
        #expect(harness.endings.map { $0["phase"]?.string } == ["timedOut"])
        harness.advance(milliseconds: 10_000)
        #expect(harness.states.last == "idle", "\(harness.states)")
    }

    @Test(
        "A load that the client cancels ends at once, and the edge returns to idle",
        arguments: cases([.hanging]))
    func cancels(_ subject: ContractCase) async throws {
        let rig = try await subject.rig()
        let harness = SessionHarness(rig.backend, paging: rig.paging)
        harness.send("refresh")
        harness.send("cancel")
        #expect(harness.endings.map { $0["phase"]?.string } == ["cancelled"])
        harness.advance(milliseconds: 10_000)
        #expect(harness.states.last == "idle", "\(harness.states)")
        // The broker's outcome arrives later and causes no second message.
        #expect(await harness.awaitEnd())
        #expect(harness.endings.count == 1)
    }
}
