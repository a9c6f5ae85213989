import RefreshClient
import RefreshClientDialer  // on Apple's platforms: RefreshClientURLSession
import RefreshProtocol

/// The samples of Sources/RefreshClient/README.md, so that they compile with the imports that the
/// page shows. `ReadmeTests` holds both equal.
enum ReadmeSamples {
    static func program() async throws {
        let list = ViewDescription(
            name: "list", feed: "packages",
            geometry: GeometryUpdate(
                viewport: .init(width: 390, height: 800), content: .init(width: 390, height: 0)))
        let client = RefreshClient(
            url: "ws://127.0.0.1:8080/v1/session",
            configuration: ClientConfiguration(
                client: "app/1.0", views: [list], refreshedViews: ["list"]),
            transport: try DialerTransport())  // on Apple's platforms: URLSessionTransport()
        let events = await client.events()
        Task {
            for await event in events {
                switch event {
                case .connectionFailed(let reason): print("no connection:", reason)
                case .fault(_, let name, let message, let view):
                    print("fault:", name, message, view ?? "")
                case .loadFailed(let result, _, let message, let view):
                    print("load:", view, result, message ?? "")
                default: break
                }
            }
        }
        await client.connect()
        for await state in await client.states() {
            let view = state.views["list"]
            print(state.status, state.refusal ?? "", view?.edges[.top]?.state ?? .idle)
            print(view?.items.count ?? 0, "items")
        }

        for (offset, phase) in [
            (0.0, ScrollPhase.began), (-30, .dragging), (-72, .dragging), (-72, .ended),
        ] {
            await client.scroll("list", to: offset, phase: phase)
        }
        // The daemon answers. This pull passes the threshold, so that the room opens.
        var room = 0.0
        for await state in await client.states() {
            guard let view = state.views["list"] else { break }
            room = view.insets[.top]?.target ?? 0
            if view.edges[.top]?.state == .refreshing { break }
        }
        // The list springs back to the room.
        await client.scroll("list", to: -room, phase: .idle)

        var refresh = RefreshEdgeOptions()
        refresh.length = 80
        refresh.room = .value(56)
        refresh.deadline = .null  // the daemon's limit
        let pulled = ViewDescription(
            name: "pulled", feed: "packages", refresh: .value(refresh), loadMore: .null,
            geometry: GeometryUpdate(
                viewport: .init(width: 390, height: 800), content: .init(width: 390, height: 0)),
            initial: .load)
        await client.attach(pulled)
        try await edit(client)
        await readLog(client)
        try await save(client, list)
    }

    private static func edit(_ client: RefreshClient) async throws {
        let note = JSONValue.object([.init("id", .string("m9")), .init("text", .string("hello"))])
        try await client.edit("list", .insert(note, .start))
        // A removal with an undo of five seconds:
        let removal = try await client.edit("list", .remove(.string("m2")), delayMs: 5000)
        await client.undo("list", removal)
    }

    private static func readLog(_ client: RefreshClient) async {
        let log = ViewDescription(
            name: "log", feed: "log", paging: PagingDescription(style: .offset, access: .random),
            geometry: GeometryUpdate(
                viewport: .init(width: 390, height: 800), content: .init(width: 390, height: 0)),
            initial: .load)
        await client.attach(log)
        // With each sample, the rows that are in sight:
        await client.scroll("log", to: 5280, phase: .dragging, visible: 120...137)
        if let rows = await client.state.views["log"]?.rows {
            for row in 120...137 { print(rows[row]?["name"]?.string ?? "…") }
        }
    }

    private static func save(_ client: RefreshClient, _ list: ViewDescription) async throws {
        await client.enterBackground()
        let state = await client.saveState()
        // The next process, with the same views:
        let next = RefreshClient(
            url: "ws://127.0.0.1:8080/v1/session",
            configuration: ClientConfiguration(
                client: "app/1.0", views: [list], refreshedViews: ["list"]),
            transport: try DialerTransport(), savedState: state)
        await next.connect()
    }
}
