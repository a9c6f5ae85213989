import RefreshEngine
import RefreshProtocol
import Testing

@testable import RefreshClient

struct EdgeOptionsTests {
    @Test("The typed options are those of the registry")
    func complete() {
        let refresh = Mirror(reflecting: RefreshEdgeOptions()).children.count
        let loadMore = Mirror(reflecting: LoadMoreEdgeOptions()).children.count
        // The floor has a table of its own. The indicator is an option of the wire that the engine
        // does not have.
        #expect(refresh == RefreshOptions.entries.count + 2)
        #expect(loadMore == LoadMoreOptions.entries.count + 1)
        #expect(
            Mirror(reflecting: FloorEdgeOptions()).children.count == FloorOptions.entries.count)
    }

    @Test("The daemon reads the options that the client writes")
    func readable() throws {
        var refresh = RefreshEdgeOptions()
        refresh.trigger = .reach
        refresh.length = 80
        refresh.room = .null
        refresh.zone = .value(20)
        refresh.intents = [.finger, .code]
        refresh.whileLoading = .queue
        refresh.progressMax = 2
        var floor = FloorEdgeOptions()
        floor.length = 160
        refresh.floor = .value(floor)
        var loadMore = LoadMoreEdgeOptions()
        loadMore.mode = .user
        loadMore.leadTime = .null
        let view = ViewDescription(
            name: "list", refresh: .value(refresh), loadMore: .value(loadMore),
            geometry: GeometryUpdate())
        let replica = try #require(Replica(body: view.body, hasFeatures: true))
        let options = replica.engine.options
        #expect(options.refresh?.trigger == .reach)
        #expect(options.refresh?.length == 80)
        #expect(options.refresh?.roomZone == 20)
        #expect(options.refresh?.whileLoading == .queue)
        #expect(options.refresh?.floor?.length == 160)
        #expect(options.loadMore?.mode == .user)
        #expect(options.loadMore?.leadTime == nil)
    }

    @Test("A view without an edge has no such edge")
    func absentEdge() throws {
        let view = ViewDescription(name: "list", loadMore: .null, geometry: GeometryUpdate())
        let replica = try #require(Replica(body: view.body, hasFeatures: false))
        #expect(replica.engine.options.loadMore == nil)
        #expect(replica.engine.options.refresh != nil)
    }
}
