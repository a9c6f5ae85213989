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

    @Test("Each load ends exactly once, and then the edge is idle", arguments: covered)
    func load(_ behaviour: Behaviour) throws {
        var limits = Limits()
        limits.loadDeadlineMs = 2000
        let harness = SessionHarness(nil, limits: limits)
        harness.send("refresh")
        let load = try #require(harness.messages("load").first)
        let id = try #require(load["load"]?.string)
        harness.send("loadBegan", #""load":"\#(id)""#)
        #expect(harness.states.last == "refreshing")
        switch behaviour {
        case .list:
            finish(harness, id, #""result":"success","count":20,"more":true"#)
            try expectNextPage(harness)
        case .empty:
            finish(harness, id, #""result":"empty""#)
        case .echo:
            #expect(load["kind"]?.string == "refresh" && load["trigger"]?.string == "manual")
            #expect(load["page"]?.number == 1 && load["size"]?.number == 20)
            #expect(load["offset"]?.number == 0 && load["attempt"]?.number == 1)
            #expect(load["deadlineMs"]?.number == 2000)
            finish(harness, id, #""result":"noMore""#)
        case .failing:
            finish(harness, id, #""result":"failed","code":"E1","message":"It is broken.""#)
            harness.send("retry", #""edge":"top""#)
            let again = try #require(harness.messages("load").last)
            #expect(again["attempt"]?.number == 2 && again["load"] != load["load"])
            finish(harness, try #require(again["load"]?.string), #""result":"empty""#)
        case .hanging:
            harness.advance(milliseconds: 1999)
            #expect(harness.endings.isEmpty && harness.states.last == "refreshing")
            harness.advance(milliseconds: 1)
            #expect(harness.endings.map { $0["phase"]?.string } == ["timedOut"])
        case .garbage:
            finish(harness, id, #""result":7,"count":"many""#)
            #expect(harness.messages("error").last?["code"]?.string == "invalidField")
            #expect(harness.states.last == "refreshing")
            finish(harness, id, #""result":"success","count":1,"more":false"#)
        default:
            Issue.record("\(behaviour) is not covered")
        }
        harness.advance(milliseconds: 10_000)
        #expect(harness.states.last == "idle", "\(harness.states)")

        // A second answer, which is late, has no effect except an `error` message.
        let faults = harness.messages("error").count
        finish(harness, id, #""result":"success","count":1"#)
        #expect(
            harness.messages("error").dropFirst(faults).map { $0["code"]?.string } == [
                "unknownLoad"
            ])
    }

    private func finish(_ harness: SessionHarness, _ load: String, _ members: String) {
        harness.send("loadFinished", #""load":"\#(load)",\#(members)"#)
    }

    private func expectNextPage(_ harness: SessionHarness) throws {
        harness.send("loadMore")
        let load = try #require(harness.messages("load").last)
        #expect(load["kind"]?.string == "more" && load["page"]?.number == 2)
        #expect(load["offset"]?.number == 20)
        let id = try #require(load["load"]?.string)
        finish(harness, id, #""result":"success","count":5,"more":false"#)
    }
}
