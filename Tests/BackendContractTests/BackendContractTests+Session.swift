import RefreshBroker
import RefreshProtocol
import Testing

/// A rig's backend in which the rig's `fatal` request, if there is one, replaces every request.
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
        let world = SessionWorld(backend, paging: rig.paging)
        world.say("refresh")
        #expect(world.states.last == "refreshing")
        #expect(await world.awaitEnd())
        let items = try #require(world.messages("items").first)
        let page = try #require(backend.pages.first)
        let member = #""items":"# + String(decoding: page.items, as: UTF8.self)
        #expect(world.frames.contains { $0.contains(member) })
        #expect(items["count"]?.number == Double(page.count))
        #expect(world.endings.isEmpty && world.messages("items").count == 1)
        world.pass(milliseconds: 10_000)
        #expect(world.states.last == "idle", "\(world.states)")
    }

    @Test(
        "A failure reaches the client with its code, and the edge returns to idle",
        arguments: cases(Behaviour.faults + Behaviour.failures))
    func named(_ subject: ContractCase) async throws {
        let rig = try await subject.rig()
        let world = SessionWorld(FatalBackend(rig: rig), paging: rig.paging)
        world.say("refresh")
        #expect(world.states.last == "refreshing")
        #expect(await world.awaitEnd())
        var code = rig.code
        var retryAfterMs: Int?
        if case .failing(let failing, let after) = subject.behaviour {
            (code, retryAfterMs) = (failing, after)
        }
        let ending = try #require(world.endings.first)
        #expect(world.endings.count == 1 && world.messages("items").isEmpty)
        #expect(ending["phase"]?.string == "failed")
        #expect(ending["code"]?.string == code?.rawValue)
        #expect(ending["temporary"]?.bool == code?.isTemporary)
        #expect(ending["retryAfterMs"]?.number == retryAfterMs.map(Double.init))
        #expect(ending["message"]?.string?.isEmpty == false)
        world.pass(milliseconds: 10_000)
        #expect(world.states.last == "idle", "\(world.states)")
    }

    @Test(
        "A load without an answer times out for the client, and the edge returns to idle",
        arguments: cases([.hanging]))
    func timesOut(_ subject: ContractCase) async throws {
        let rig = try await subject.rig()
        let world = SessionWorld(rig.backend, paging: rig.paging, deadlineMs: 200)
        world.say("refresh")
        #expect(world.states.last == "refreshing")
        #expect(await world.awaitEnd())
        #expect(world.endings.map { $0["phase"]?.string } == ["timedOut"])
        world.pass(milliseconds: 10_000)
        #expect(world.states.last == "idle", "\(world.states)")
    }

    @Test(
        "If the client cancels a load, it ends at once, and the edge returns to idle",
        arguments: cases([.hanging]))
    func cancels(_ subject: ContractCase) async throws {
        let rig = try await subject.rig()
        let world = SessionWorld(rig.backend, paging: rig.paging)
        world.say("refresh")
        world.say("cancel")
        #expect(world.endings.map { $0["phase"]?.string } == ["cancelled"])
        world.pass(milliseconds: 10_000)
        #expect(world.states.last == "idle", "\(world.states)")
        // The broker's outcome arrives later and causes no second message.
        #expect(await world.awaitEnd())
        #expect(world.endings.count == 1)
    }
}
