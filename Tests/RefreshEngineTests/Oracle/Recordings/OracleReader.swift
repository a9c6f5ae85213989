/// Converts the records of a recorded library to moments (`Moment`), one after the other. The JSON
/// files of the fixtures call the library a peer.
struct OracleReader {
    private let peer: OracleFolder.Peer
    private let isHorizontal: Bool
    private(set) var appInsets: Moment.Sides
    private var after = Moment.Snapshot()
    private var inset: Moment.Sides
    /// For MRefresh: the fraction of the figure that was last drawn, and the fraction that is
    /// visible.
    private var proportion = 0.0
    private var shown = 0.0

    init(peer: OracleFolder.Peer, trace: OracleTrace) {
        self.peer = peer
        isHorizontal = trace.isHorizontal
        let insets = trace.geometry.contentInset
        appInsets =
            isHorizontal
            ? Moment.Sides(start: insets.left, end: insets.right)
            : Moment.Sides(start: insets.top, end: insets.bottom)
        inset = appInsets
    }

    mutating func read(_ record: OracleRecording.Record) -> Moment {
        var actions: [Moment.Action] = []
        for effect in record.effects { actions += read(effect) }
        let old = after.pull.state
        apply(record.after)
        if record.event == "replaceRefreshControl" {
            // The record contains the states of the new control. They are not changes. Only a
            // change of the visible state is an action.
            actions.removeAll { $0.field == .refreshState }
            if after.pull.state != old { actions.append(.state(.refresh, after.pull.state)) }
        }
        // The states in the record of the set-up are initial values, so they are not actions.
        return Moment(actions: record.event == "setup" ? [] : actions, after: after)
    }

    private mutating func read(_ effect: OracleRecording.Effect) -> [Moment.Action] {
        switch effect.kind {
        case "state":
            let state = Moment.PeerState(effect.to ?? "", progress: effect.progress?.value)
            return [.state(effect.control == "refresh" ? .refresh : .loadMore, state ?? .unknown)]
        case "haptic": return [.haptic(effect.type ?? "")]
        case "contentInset": return write(effect)
        case "callback":
            let control: Moment.Control = effect.name == "loadMoreTriggered" ? .loadMore : .refresh
            return [.callback(control, type: effect.type ?? effect.name ?? "")]
        case "request": return [.request(page: effect.page ?? 0, size: effect.size ?? 0)]
        case "wrapperState": return [.wrapperState(effect.state ?? "")]
        case "wrapperModels":
            return [.models(success: effect.success ?? false, count: effect.count)]
        case "draw": return draw(effect.proportion?.value ?? 0)
        case "startAnimation": return [.startAnimation]
        case "stopAnimation":
            shown = 0
            return [.stopAnimation]
        default: return []
        }
    }

    private mutating func write(_ effect: OracleRecording.Effect) -> [Moment.Action] {
        let new =
            isHorizontal
            ? Moment.Sides(start: effect.left ?? 0, end: effect.right ?? 0)
            : Moment.Sides(start: effect.top ?? 0, end: effect.bottom ?? 0)
        let old = inset
        inset = new
        if effect.by == "app" {
            appInsets = new
            return []
        }
        var actions: [Moment.Action] = []
        if new.end != old.end { actions.append(.room(.end, new.end - appInsets.end)) }
        // Setting the inset that the list has already is also an action.
        if new.start != old.start || actions.isEmpty {
            actions.insert(.room(.start, new.start - appInsets.start), at: 0)
        }
        return actions
    }

    private mutating func draw(_ new: Double) -> [Moment.Action] {
        proportion = new
        guard shown != new else { return [] }
        shown = new
        return [.draw(new)]
    }

    private mutating func apply(_ change: OracleRecording.After) {
        after.room = Moment.Sides(
            start: inset.start - appInsets.start, end: inset.end - appInsets.end)
        guard peer == .iqpulltorefresh else { return applyStages(change) }
        if let edge = change.refresh { after.pull = Self.view(edge) }
        if let edge = change.loadMore { after.approach = Self.view(edge) }
        if let wrapper = change.wrapper { after.wrapperState = wrapper.state }
    }

    private mutating func applyStages(_ change: OracleRecording.After) {
        if let stage = change.stage { after.stage = stage }
        if let isAnimating = change.isAnimating { after.isAnimating = isAnimating }
        if let isHidden = change.isHidden { after.pull.isEnabled = !isHidden }
        after.drawn = (after.stage ?? 1) <= 2 ? proportion : nil
    }

    private static func view(_ edge: OracleRecording.Edge) -> Moment.EdgeView {
        Moment.EdgeView(
            isEnabled: edge.enabled,
            state: Moment.PeerState(edge.state, progress: edge.proportion?.value) ?? .unknown)
    }
}
