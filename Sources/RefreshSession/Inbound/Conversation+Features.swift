import RefreshEngine
import RefreshProtocol

/// Messages, members and options that only clients with features know. Source: docs/protocol.md,
/// "Features".
extension Conversation {
    /// Adapts the views of a resumed session to the features of its client. A client without
    /// features does not know some options. For such a client, these options get their default
    /// values.
    mutating func adaptToFeatures(at now: Instant) {
        let hasFeatures = inbound.features != nil
        for index in views.indices {
            views[index].engine.keepsPlace = hasFeatures
            let hasUnread = inbound.features?.contains(.unread) == true
            views[index].engine.setUnread(hasUnread)
            if !hasUnread { views[index].update.removeUnread() }
            adaptAccess(ofViewAt: index, at: now)
            adaptSentList(ofViewAt: index)
            observePages(ofViewAt: index)
            adaptOperations(ofViewAt: index, at: now)
            if !hasFeatures {
                views[index].engine.removeFeatures()
                views[index].update.refresh.cause =
                    views[index].update.refresh.cause?.withoutFeatures
            }
            let options = views[index].engine.options
            guard let refresh = options.refresh,
                case let adapted = refresh.adapted(to: inbound.features), adapted != refresh
            else { continue }
            applyEvent(
                .edgesConfigured(refresh: adapted, loadMore: options.loadMore),
                toViewAt: index, because: .time, at: now)
        }
    }

    /// Adds to the update of a view a value that only a client with the feature `unread` receives.
    @inline(never)
    mutating func showUnread(_ effect: Effect, ofViewAt index: Int) {
        views[index].update.changeUnread { unread in
            switch effect {
            case .showNewerCount(let count): unread.newerCount = count
            case .showAway(let isAway): unread.isAway = isAway
            case .showRevealed(let result): unread.revealed = result
            default: break
            }
        }
    }

    /// Notifies the engine of each view with polling that the session has, or no longer has, a
    /// connection.
    mutating func reportConnection(_ isConnected: Bool, at now: Instant) {
        for index in views.indices { reportConnection(isConnected, toViewAt: index, at: now) }
    }

    mutating func reportConnection(_ isConnected: Bool, toViewAt index: Int, at now: Instant) {
        guard let refresh = views[index].engine.options.refresh, refresh.pollMs > 0 else { return }
        applyEvent(
            .connectionChanged(isConnected: isConnected), toViewAt: index, because: .time, at: now)
    }

    /// Tells the client that the running refresh answers its request.
    mutating func reportJoin(of load: LoadID?, ofViewAt index: Int, because source: EventSource) {
        outbox.append(
            .text(ServerText.loadingJoined(load, seq: source.seq, view: views[index].id)))
    }
}
