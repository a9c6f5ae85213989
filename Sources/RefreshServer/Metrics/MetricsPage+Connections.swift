internal import RefreshSession
internal import WebSocketTransport

/// The metrics of connections, of refused connections, and of slow clients.
extension MetricsPage {
    func addConnections(to page: inout MetricsText) {
        page.family(
            "refreshd_connections", .gauge,
            "Connections of all kinds, except those to admin listeners.")
        page.sample(census.connections)
        page.family(
            "refreshd_connection_addresses", .gauge,
            "Client addresses that have a connection counted in refreshd_connections.")
        page.sample(census.networks)
        page.family(
            "refreshd_connections_of_one_address", .gauge,
            "Connections of the client address that has the most connections.")
        page.sample(census.busiestNetwork)
        page.family("refreshd_admin_connections", .gauge, "Connections to admin listeners.")
        page.sample(census.admin)
        page.family(
            "refreshd_connections_refused_total", .counter,
            "Connections that were not served, by reason.")
        for reason in ConnectionRefusal.allCases {
            page.sample(refused.count(of: reason), [("reason", reason.rawValue)])
        }
        page.family(
            "refreshd_accept_failures_total", .counter,
            "Connections that could not be accepted, by the missing resource.")
        for shortage in AcceptFailure.allCases {
            page.sample(refused.count(of: shortage), [("reason", shortage.rawValue)])
        }
        page.family(
            "refreshd_sessions_held_back", .gauge,
            "Sessions from which nothing is read, because too much output is queued for them.")
        page.sample(total.holdsBegun - total.holdsEnded)
        page.family(
            "refreshd_sessions_held_back_total", .counter,
            "How often reading from a session was suspended.")
        page.sample(total.holdsBegun)
        page.family(
            "refreshd_breaches_total", .counter,
            "Connections closed because of a message that was too large, was not UTF-8, or had too "
                + "many frames.")
        for breach in MessageBreach.allCases {
            page.sample(refused.count(of: breach), [("reason", breach.rawValue)])
        }
        page.family(
            "refreshd_item_keys_forgotten_total", .counter,
            "Item keys that were dropped because a view had reached its limit.")
        page.sample(total.itemKeysForgotten)
        addSessionCosts(to: &page)
    }

    /// Adds the metrics of snapshots, of delayed frames and of memory.
    private func addSessionCosts(to page: inout MetricsText) {
        page.family(
            "refreshd_snapshots_total", .counter,
            "Snapshots for clients, by result.")
        page.sample(total.snapshotsSealed, [("result", "sealed")])
        page.sample(total.snapshotsTooLarge, [("result", "tooLarge")])
        page.family(
            "refreshd_snapshots_delayed_total", .counter,
            "Frames that waited because their session had reached its rate of snapshots.")
        page.sample(total.snapshotsDelayed)
        page.family(
            "refreshd_frames_deferred_total", .counter,
            "How often frames of animations had to wait because their byte budget was used up.")
        page.sample(total.framesDeferred)
        addMemory(to: &page)
    }

    private func addMemory(to page: inout MetricsText) {
        page.family(
            "refreshd_sessions_shed_total", .counter,
            "Sessions that were closed because memory was short.")
        page.sample(total.sessionsShed)
        page.family(
            "process_resident_memory_bytes", .gauge, "Resident memory of the process.")
        page.sample(census.residentBytes)
    }
}
