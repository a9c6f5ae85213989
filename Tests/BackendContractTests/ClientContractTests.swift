import RefreshProtocol
import Testing

/// Tests of the contract for a client as the backend. The client answers the session, and the
/// daemon makes no backend call.
@Suite("The contract of a client as the backend")
struct ClientContractTests {
    /// The behaviours that a client supports.
    static let covered: [Behaviour] = [
        .list, .empty, .echo, .failing(.backendFailed), .hanging, .garbage,
    ]

    @Test("A load is complete and ends once, and the edge returns to idle", arguments: covered)
    func load(_ behaviour: Behaviour) throws {
        var limits = Limits()
        limits.loadDeadlineMs = 2000
        let world = SessionWorld(nil, limits: limits)
        world.say("refresh")
        let load = try #require(world.messages("load").first)
        let id = try #require(load["load"]?.string)
        world.say("loadBegan", #""load":"\#(id)""#)
        #expect(world.states.last == "refreshing")
        switch behaviour {
        case .list:
            finish(world, id, #""result":"success","count":20,"more":true"#)
            try expectNextPage(world)
        case .empty:
            finish(world, id, #""result":"empty""#)
        case .echo:
            #expect(load["kind"]?.string == "refresh" && load["trigger"]?.string == "manual")
            #expect(load["page"]?.number == 1 && load["size"]?.number == 20)
            #expect(load["offset"]?.number == 0 && load["attempt"]?.number == 1)
            #expect(load["deadlineMs"]?.number == 2000)
            finish(world, id, #""result":"noMore""#)
        case .failing:
            finish(world, id, #""result":"failed","code":"E1","message":"It is broken.""#)
            world.say("retry", #""edge":"top""#)
            let again = try #require(world.messages("load").last)
            #expect(again["attempt"]?.number == 2 && again["load"] != load["load"])
            finish(world, try #require(again["load"]?.string), #""result":"empty""#)
        case .hanging:
            world.pass(milliseconds: 1999)
            #expect(world.endings.isEmpty && world.states.last == "refreshing")
            world.pass(milliseconds: 1)
            #expect(world.endings.map { $0["phase"]?.string } == ["timedOut"])
        case .garbage:
            finish(world, id, #""result":7,"count":"many""#)
            #expect(world.messages("error").last?["code"]?.string == "invalidField")
            #expect(world.states.last == "refreshing")
            finish(world, id, #""result":"success","count":1,"more":false"#)
        default:
            Issue.record("\(behaviour) is not covered")
        }
        world.pass(milliseconds: 10_000)
        #expect(world.states.last == "idle", "\(world.states)")

        // A second, late answer has no effect except for an error.
        let faults = world.messages("error").count
        finish(world, id, #""result":"success","count":1"#)
        #expect(
            world.messages("error").dropFirst(faults).map { $0["code"]?.string } == ["unknownLoad"])
    }

    private func finish(_ world: SessionWorld, _ load: String, _ members: String) {
        world.say("loadFinished", #""load":"\#(load)",\#(members)"#)
    }

    private func expectNextPage(_ world: SessionWorld) throws {
        world.say("loadMore")
        let load = try #require(world.messages("load").last)
        #expect(load["kind"]?.string == "more" && load["page"]?.number == 2)
        #expect(load["offset"]?.number == 20)
        let id = try #require(load["load"]?.string)
        finish(world, id, #""result":"success","count":5,"more":false"#)
    }
}
