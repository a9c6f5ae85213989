import RefreshBroker
import RefreshEngine
internal import RefreshIndicator
import RefreshProtocol

/// The messages that open a session or a view and contain their current state.
extension ServerText {
    /// The `welcome` message.
    ///
    /// `resuming` is nil if the client did not ask to resume. If it did, `resuming` is the last
    /// `seq` that the session has handled, or the reason why the session cannot be resumed.
    /// `hasFeatures` states whether `hello` had `features`.
    static func welcome(
        session: String, token: ResumeToken?, resuming: Result<UInt64, ResumeRefusal>?,
        feeds: PermittedFeeds = .all, hasFeatures: Bool = false, services: SessionServices,
        now: Instant
    ) -> [UInt8] {
        object(type: "welcome") { out in
            out.appendMember("protocol", Double(ProtocolVersion.current))
            out.appendMember("session", session)
            if let token { out.appendMember("token", token.text) }
            switch resuming {
            case .success(let ack):
                out.appendMember("resumed", true)
                out.appendMember("ack", Double(ack))
            case .failure(let refusal):
                out.appendMember("resumed", false)
                out.appendMember("reason", refusal.rawValue)
                out.appendMember("ack", 0)
            case nil: break
            }
            out.appendMember("server", "refreshd/\(services.version)")
            out.appendMember("time", now.milliseconds)
            out.appendMember("heartbeat", Double(services.limits.heartbeatMs))
            if hasFeatures { out.appendNames("features", Feature.allCases.map(\.wireName)) }
            out.beginMember("limits")
            for (index, entry) in Limits.table.enumerated() {
                out.append((index == 0 ? 0x7B : 0x2C) as UInt8)
                out.appendQuoted(entry.name)
                out.append(0x3A as UInt8)
                out.append(services.limits[entry.name] ?? 0)
            }
            for entry in Limits.tableOfFeatures where hasFeatures {
                out.append(0x2C as UInt8)
                out.appendQuoted(entry.name)
                out.append(0x3A as UInt8)
                out.append(services.limits[keyPath: entry.path])
            }
            out.append(0x7D as UInt8)
            out.appendNames("profiles", Profile.allCases.map(\.rawValue))
            out.appendNames("feeds", services.feeds.map(\.name).filter(feeds.contains))
            out.appendNames("indicators", services.indicators.programmes.map(\.name))
        }
    }

    /// The `attached` message.
    ///
    /// `isNew` states whether the view was attached just now. If it was, the message sets the inset
    /// shares of the view to 0. For a view of a resumed session, a later update contains the inset
    /// shares. `features` are those of the client's `hello`. `edits` are the operations that the
    /// feed accepts, and `sectionKey` is the place of the section in its items.
    static func attached(
        _ slot: ViewSlot, isNew: Bool, ack: UInt64, features: ClientFeatures?,
        edits: [ItemOperation.Kind], sectionKey: JSONPointer?
    ) -> [UInt8] {
        return object(type: "attached") { out in
            out.appendMember("view", slot.id)
            out.appendMember("ack", Double(ack))
            out.appendMember("generation", Double(slot.generation))
            out.appendMember("profile", slot.profile.rawValue)
            let options = slot.engine.options
            out.appendMember("axis", options.layout.axis.rawValue)
            out.appendMember("reversed", options.layout.isReversed)
            out.appendMember("attention", options.attention.rawValue)
            out.appendMember("haptics", options.playsHaptics)
            out.appendMember("announcements", options.announces)
            if let refresh = options.refresh {
                out.beginEdge(.refresh, slot.engine.refresh.phase.state, options.layout)
                for entry in RefreshOptions.entries where entry.isKnown(with: features) {
                    out.appendOption(entry.field, entry.value(in: refresh))
                }
                out.appendOption(.floor, refresh.floorValue)
                out.appendIndicator(slot, .refresh)
                out.append(0x7D as UInt8)
            }
            if let loadMore = options.loadMore {
                out.beginEdge(.loadMore, slot.engine.loadMore.phase.state, options.layout)
                for entry in LoadMoreOptions.entries where entry.isKnown(with: features) {
                    out.appendOption(entry.field, entry.value(in: loadMore))
                }
                out.appendIndicator(slot, .loadMore)
                out.append(0x7D as UInt8)
            }
            let paging = slot.engine.paging.options
            out.beginMember("paging")
            out.append(literal: #"{"style":"#)
            out.appendQuoted(paging.style.rawValue)
            out.appendMember("first", Double(paging.first))
            out.appendMember("size", Double(paging.size))
            if paging.access == .random { out.appendMember("access", paging.access.rawValue) }
            out.append(0x7D as UInt8)
            out.beginMember("pan")
            for (index, entry) in PanOptions.entries.enumerated() {
                out.append((index == 0 ? 0x7B : 0x2C) as UInt8)
                OptionSetting(entry.field, entry.value(in: options.pan)).write(to: &out)
            }
            out.append(0x7D as UInt8)
            if let list = slot.feed?.sentList { out.appendMember("itemKey", list.itemKey) }
            if let sectionKey { out.appendMember("sectionKey", sectionKey.text) }
            if !edits.isEmpty { out.appendNames("edits", edits.map(\.rawValue)) }
            if isNew { out.appendZeroInset(options.layout) }
            slot.presentation?.writeLaw(options.layout, to: &out)
        }
    }
}

extension ServerText {
    /// The update which says that the edges with these roles have other indicators.
    static func indicatorUpdate(
        _ roles: Set<EdgeRole>, of slot: ViewSlot, ack: UInt64
    ) -> [UInt8] {
        return object(type: "update") { out in
            out.appendMember("view", slot.id)
            out.appendMember("ack", Double(ack))
            for role in EdgeRole.allCases where roles.contains(role) {
                let state =
                    role == .refresh
                    ? slot.engine.refresh.phase.state : slot.engine.loadMore.phase.state
                let progress =
                    role == .refresh
                    ? slot.engine.refresh.shownProgress : slot.engine.loadMore.phase.progress
                out.beginEdge(role, state, slot.engine.options.layout)
                if progress > 0 { out.appendMember("progress", progress) }
                out.appendIndicator(slot, role)
                out.append(0x7D as UInt8)
            }
        }
    }
}

extension ByteBuffer {
    /// Appends the member that sets the daemon's share of the insets at both ends to 0.
    fileprivate mutating func appendZeroInset(_ layout: ViewLayout) {
        beginMember("inset")
        append(literal: "{")
        appendQuoted(layout.edge(of: .refresh).rawValue)
        append(literal: ":0,")
        appendQuoted(layout.edge(of: .loadMore).rawValue)
        append(literal: #":0,"duration":0}"#)
    }

    /// Appends the name and the programme of an edge's indicator. A `stream` client also gets the
    /// first frame of the indicator.
    fileprivate mutating func appendIndicator(_ slot: ViewSlot, _ role: EdgeRole) {
        guard let indicators = slot.presentation?.indicators else { return }
        guard let indicator = indicators[role] else {
            return append(literal: #","indicator":null"#)
        }
        appendMember("indicator", indicator.name)
        beginMember("programme")
        append(indicator.programme.wire)
        indicators.writeFrame(of: role, to: &self)
    }

    fileprivate mutating func beginEdge(
        _ role: EdgeRole, _ state: EdgeState, _ layout: ViewLayout
    ) {
        append(0x2C as UInt8)
        appendQuoted(layout.edge(of: role).rawValue)
        append(literal: #":{"role":"#)
        appendQuoted(role.rawValue)
        appendMember("state", state.rawValue)
    }

    fileprivate mutating func appendOption(_ field: OptionField, _ value: OptionValue) {
        append(0x2C as UInt8)
        OptionSetting(field, value).write(to: &self)
    }

    fileprivate mutating func appendNames(_ name: StaticString, _ values: [String]) {
        beginMember(name)
        append(0x5B as UInt8)
        for (index, value) in values.enumerated() {
            if index > 0 { append(0x2C as UInt8) }
            appendQuoted(value)
        }
        append(0x5D as UInt8)
    }
}
