import RefreshBroker
import RefreshEngine
import RefreshProtocol

/// Attaches and detaches views.
extension Conversation {
    /// Attaches a view. `seq` is nil for a view within `hello`.
    mutating func attach(_ attach: Attach, seq: UInt64?, at now: Instant) {
        do throws(Fault) {
            let slot = try makeSlot(for: attach, at: now)
            views.append(slot)
            adaptSentList(ofViewAt: views.count - 1)
            observePages(ofViewAt: views.count - 1)
            services.onGrowth?(Self.grownBytesPerView + slot.parameterBytes, key, now)
            services.metrics.recordViewAttached()
            observer?.report(.attached, slot)
            observer?.observeEdges(of: slot)
            enqueueAttached(ofViewAt: views.count - 1, isNew: true)
            reportConnection(true, toViewAt: views.count - 1, at: now)
            if slot.engine.isAway == true {
                views[views.count - 1].update.changeUnread { $0.isAway = true }
                enqueueUpdate(ofViewAt: views.count - 1)
            }
            if let paging = attach.paging {
                reportIgnoredPaging(paging, ofViewAt: views.count - 1, seq: seq, at: now)
            }
            requestFirstItems(attach.initial, ofViewAt: views.count - 1, at: now)
        } catch {
            var fault = error
            fault.seq = seq
            fault.view = attach.view
            report(fault, at: now)
        }
    }

    /// Enqueues the message `attached` of a view that is new, or whose session is resumed.
    mutating func enqueueAttached(ofViewAt index: Int, isNew: Bool) {
        let slot = views[index]
        let sectionKey = slot.feed.flatMap { services.feed(ofView: $0.name)?.sectionKey }
        outbox.append(
            .passing(
                ServerText.attached(
                    slot, isNew: isNew, ack: inbound.ack, features: inbound.features,
                    edits: acceptedEdits(ofViewAt: index),
                    sectionKey: inbound.features == nil ? nil : sectionKey)))
    }

    private mutating func makeSlot(
        for attach: Attach, at now: Instant
    ) throws(Fault) -> ViewSlot {
        guard viewIndex(attach.view) == nil else { throw Fault(.viewExists, field: .view) }
        guard views.count < services.limits.viewsPerSessionMax else {
            throw Fault(.tooManyViews)
        }
        guard let profile = Profile(rawValue: attach.profile) else {
            throw Fault(.unknownProfile, field: .profile)
        }
        let feed = try feed(for: attach)
        var options = ViewOptions(
            profile: profile, layout: attach.layout, paging: paging(attach.paging, of: feed),
            isClientBacked: feed == nil, limits: services.limits)
        options.attention = attach.attention ?? options.attention
        options.playsHaptics = attach.haptics ?? options.playsHaptics
        options.announces = attach.announcements ?? options.announces
        var edges = attach.edges
        let choices = try removeIndicators(from: &edges, in: attach.layout)
        try apply(choices, to: &options)
        try options.apply(edges)
        try options.pan.apply(attach.pan)
        try checkAccess(options.paging, hasFeed: feed != nil)
        let parameters = try parameters(attach.parameters, for: feed)
        var engine = Engine(
            generation: try nextGeneration(), options: options, geometry: attach.geometry,
            offset: attach.offset ?? attach.geometry.offset)
        if inbound.features != nil { engine.setPollSeed(UInt8(truncatingIfNeeded: key.mixed)) }
        engine.keepsPlace = inbound.features != nil
        engine.setUnread(inbound.features?.contains(.unread) == true)
        return ViewSlot(
            id: attach.view, profile: profile,
            feed: feed.map { feed in
                FeedUse(
                    name: feed.name, parameters: parameters,
                    headers: headers.filter { feed.forward.contains($0.name) })
            },
            engine: engine,
            presentation: renderMode.hasPresentations
                ? ViewPresentation(
                    of: engine, pans: attach.hasPan,
                    indicators: makeIndicators(choices, profile, engine, at: now), at: now) : nil)
    }

    /// Returns the number of a new view. No other view of the session has had this number.
    ///
    /// - Throws: `tooManyViews` if the session has already attached 2^32 - 1 views.
    private mutating func nextGeneration() throws(Fault) -> UInt32 {
        guard lastGeneration < .max else { throw Fault(.tooManyViews) }
        lastGeneration += 1
        return lastGeneration
    }

    private func feed(for attach: Attach) throws(Fault) -> FeedDescription? {
        guard let name = attach.feed else {
            return nil
        }
        return try permittedFeed(named: name)
    }

    /// Returns the configured feed, if the client may use it.
    func permittedFeed(named name: String) throws(Fault) -> FeedDescription {
        guard let feed = services.feed(named: name) else {
            throw Fault(.unknownFeed, field: .feed)
        }
        guard principal.permittedFeeds.contains(name) else {
            throw Fault(.forbiddenFeed, field: .feed)
        }
        return feed
    }

    /// Returns the client's values, converted to the types that the feed declares.
    func parameters(
        _ texts: [Parameter], for feed: FeedDescription?
    ) throws(Fault) -> [LoadParameter] {
        var values: [LoadParameter] = []
        for parameter in texts {
            guard
                let declared = feed?.parameters.first(where: {
                    $0.name.hasBytes(of: parameter.name)
                })
            else { throw Fault(.unknownParameter, field: .parameters) }
            guard let value = ParameterValue(parameter.value, as: declared.type)
            else { throw Fault(.invalidParameter, field: .parameters) }
            values.append(LoadParameter(name: parameter.name, value: value))
        }
        return values
    }

    /// Returns the paging options. If the feed fixes an option, the feed's value is used. If not,
    /// the client's value is used or, if the client sets none, the previous value. If the style
    /// changes, the number of the first page is the usual one of the new style.
    func paging(
        _ overrides: PagingOverrides?, of feed: FeedDescription?,
        over known: PagingOptions = Profile.paging
    ) -> PagingOptions {
        let style = feed?.style ?? overrides?.style ?? known.style
        let usualFirst = style == .offset ? 0 : 1
        return PagingOptions(
            style: style,
            first: feed?.first ?? overrides?.first
                ?? (style == known.style ? known.first : usualFirst),
            size: feed?.size ?? overrides?.size
                ?? min(known.size, services.limits.pageSizeMax),
            access: overrides?.access ?? known.access)
    }

    mutating func detach(viewAt index: Int, at now: Instant) {
        var slot = views.remove(at: index)
        cancelLoads(of: &slot, at: now)
        delayedRefreshes.remove(slot.generation)
        if outbox.loneUpdate == slot.generation { outbox.loneUpdate = nil }
        outbox.messages.removeAll { $0.concernsView(slot.generation) }
        outbox.queuedBytes = outbox.messages.reduce(0) { $0 + $1.byteCount }
    }

    /// Cancels the loads of a view that is about to be removed. The client gets no messages about
    /// these loads.
    mutating func cancelLoads(of slot: inout ViewSlot, at now: Instant) {
        var last: [Effect] = []
        slot.engine.handle(.detached, at: now, into: &last)
        for case .endLoad(let load, let kind, let result) in last {
            recordLoadEnd(of: load, kind, result, for: slot, at: now)
            guard slot.feed != nil else { continue }
            services.loads.cancel(ticket(for: load, of: slot), because: .unwanted)
        }
        performWaitingEdits(of: slot)
        observer?.stopObservingEdges(of: slot)
        services.metrics.recordViewDetached()
    }
}
