import RefreshEngine
import RefreshProtocol
import RefreshServer
import RefreshSession

// Checks whether clients and daemons agree at the end of the quiet phase.
extension Simulation {
    /// The states of an edge that neither loads items nor waits for a load.
    private static let still: Set = [
        "idle", "pulling", "approaching", "eligible", "failed", "noMore", "disabled",
    ]

    /// Checks the states that the client shows, and the states of its loads.
    func checkQuiet(_ client: SimulatedClient) {
        guard case .open = client.link else {
            return fail("client \(client.number) is not connected after the quiet phase")
        }
        for view in client.views {
            let label = "client \(client.number), \(view.name)"
            guard view.isAttached else {
                return fail("\(label): is not attached after the quiet phase")
            }
            for (load, state) in view.loads.sorted(by: { $0.key < $1.key })
            where view.feed != nil {
                if state == .running { return fail("\(label): load \(load) never ended") }
                // The load can have failed, and its message can have been lost with the connection.
                if state == .unsure { count("interrupted load", "lost") }
            }
            for (name, edge) in view.edges.sorted(by: { $0.key < $1.key })
            where !Self.still.contains(edge.state) {
                return fail("\(label): \(name) is \(edge.state) after the quiet phase")
            }
        }
    }

    /// Compares the views that the client shows with the engines of its session. The engines come
    /// from a snapshot that the client has just requested.
    func compareEngines(of client: SimulatedClient, on daemon: SimulatedDaemon) {
        guard client.wantsSnapshots, let session = client.session,
            let sealed = client.snapshot
        else { return }
        let claim = SnapshotClaim(
            session: session.name, token: session.token, subject: client.subject)
        guard let saved = daemon.open(sealed, for: claim)?.session else {
            return fail("client \(client.number) has a snapshot that its daemon cannot open")
        }
        count("compared", "engines")
        if client.ackHere < client.sent {
            fail(
                "client \(client.number) sent \(client.sent), but \(client.ackHere) was handled"
            )
        }
        if saved.views.count != client.views.count {
            fail("client \(client.number) shows another number of views than its session has")
        }
        for view in saved.views {
            let generation = Int(view.engine.generation)
            guard let shown = client.views.first(where: { $0.generation == generation }) else {
                fail("client \(client.number) does not show view \(generation)")
                continue
            }
            for difference in differences(view, shown, isLocal: client.mode == .local) {
                fail("client \(client.number), \(shown.name): \(difference)")
            }
        }
    }

    private func differences(
        _ view: SavedView, _ shown: ShownView, isLocal: Bool
    ) -> [String] {
        let engine = view.engine
        var found: [String] = []
        func expect(_ name: String, _ own: String, _ others: String) {
            if own != others { found.append("\(name) is \(others), and \(own) is shown") }
        }
        for role in EdgeRole.allCases where engine.options.hasEdge(role) {
            let name = engine.options.layout.edge(of: role).rawValue
            guard let edge = engine.edge(role), let own = shown.edges[name] else {
                found.append("the edge \(name) is missing")
                continue
            }
            expect("\(name)'s state", own.state, edge.state?.rawValue ?? "nothing")
            let progress = edge.progress ?? 0
            // A `local` client computes by itself how far its list is pulled.
            if !isLocal, abs((own.progress ?? 0) - progress) > 0.001 {
                expect("\(name)'s progress", "\(own.progress ?? 0)", "\(progress)")
            }
            let sent =
                role == .refresh ? engine.insets.sentStart : engine.insets.sentEnd
            if abs((shown.insets[name] ?? 0) - sent) > 0.01 {
                expect("\(name)'s inset", "\(shown.insets[name] ?? 0)", "\(sent)")
            }
        }
        expect("newer", "\(shown.hasNewer)", "\(engine.hasNewer)")
        expect("the list", "\(shown.list?.count ?? 0)", "\(engine.paging.itemCount)")
        if let list = shown.list { expect("more", "\(list.hasMore)", "\(engine.paging.hasMore)") }
        if let feed = view.feed {
            let delivered = feed.delivered == 0 ? "none" : "\(engine.generation).\(feed.delivered)"
            expect("the last page", shown.received ?? "none", delivered)
            // If the snapshots are too small for the keys that identify items, or if the snapshot
            // key has changed, the daemon may know only the newest items. In that case the count is
            // not compared.
            if shown.feed == SimulatedFeed.Kind.live.rawValue, plan.remembersItems {
                expect("items", "\(shown.items.count)", "\(feed.shownItems.count)")
            }
        }
        return found
    }

    /// Compares the views that a client showed before it reconnected with the views that it shows
    /// afterwards.
    func compare(_ before: [ShownView], with client: SimulatedClient) {
        guard case .open = client.link else {
            return fail("client \(client.number) cannot reconnect")
        }
        guard client.isResumed else {
            // Some plans configure the daemon to keep only one session without a connection.
            if plan.limits.detachedSessionsMax > 1 {
                fail("client \(client.number) did not resume its session")
            }
            return
        }
        count("compared", "returns")
        for (old, new) in zip(before, client.views) {
            let label = "client \(client.number), \(old.name)"
            // `hello` makes the daemon evaluate the end of the list again, so only refresh edges
            // are compared.
            for (name, edge) in old.edges.sorted(by: { $0.key < $1.key })
            where edge.role == "refresh" {
                guard let other = new.edges[name], other.state == edge.state else {
                    return fail("\(label): \(name) was \(edge.state) before the client reconnected")
                }
            }
            if old.items != new.items {
                fail(.items, "\(label): the items changed across the reconnect")
            }
            // The daemon does not send `list` for an empty list, so nil means 0 items.
            if old.list?.count ?? 0 != new.list?.count ?? 0 {
                fail("\(label): the list changed across the reconnect")
            }
            if old.hasNewer != new.hasNewer {
                fail("\(label): `newer` changed across the reconnect")
            }
            for name in ShownView.edgeNames
            where abs((old.insets[name] ?? 0) - (new.insets[name] ?? 0)) > 0.01 {
                fail("\(label): the inset at \(name) changed across the reconnect")
            }
        }
    }
}
