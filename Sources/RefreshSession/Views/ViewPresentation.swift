import RefreshEngine
import RefreshProtocol

/// The additional state of a view of a `stream` or `local` client.
final class ViewPresentation {
    let indicators: ViewIndicators
    /// Whether the daemon plays indicators for the client and sends it frames.
    let playsIndicators: Bool
    private let controlLaw: UnsafeBox<ControlLawSync>
    /// Whether the client shows a state of the refresh edge that it predicted wrongly.
    private var isMispredicted = false

    /// Whether the pending output is a clock-driven frame.
    private var isClockDriven = false

    /// The number of milliseconds in which a client changes from its wrong prediction to the real
    /// state.
    private static let blendMs = 150.0

    /// Whether the client reports the finger by `pan`, so that the engine moves the list.
    var pans: Bool { controlLaw.value.pans }

    init(of engine: Engine, pans: Bool, indicators: ViewIndicators, at now: Instant) {
        self.indicators = indicators
        playsIndicators = indicators.settings.mode == .stream
        controlLaw = UnsafeBox(ControlLawSync(of: engine, pans: pans, at: now))
    }

    /// Updates the state after `event`. Returns whether there is anything to send in addition to
    /// `update`. The addition is a changed law, or a frame. A frame counts only if `update` is
    /// empty. If `update` is not empty, the frame is sent with it in any case. `engine` and
    /// `update` are read in place and not changed.
    func update(
        after event: Event, in engine: inout Engine, pending update: inout ViewUpdate,
        at now: Instant
    ) -> Bool {
        let hasNewLaw = controlLaw.value.update(after: event, in: &engine, at: now)
        guard playsIndicators else { return hasNewLaw }
        indicators.followPull(&engine, at: now)
        indicators.advance(to: now)
        return hasNewLaw || (update.isEmptyInPlace() && indicators.hasChanges())
    }

    /// Whether `offset` is approximate, because the client has computed it from the resistance.
    func isOffsetApproximate(_ offset: Double) -> Bool {
        !playsIndicators && controlLaw.value.isBeyondKnownRest(offset)
    }

    /// Records that the client shows a wrong state and must be corrected.
    func markMispredicted() { isMispredicted = true }

    /// Records that the clock has caused the pending output.
    func markClockDriven() { isClockDriven = true }

    /// Returns whether the clock has caused the pending output, and resets this state.
    func clearClockDriven() -> Bool {
        defer { isClockDriven = false }
        return isClockDriven
    }

    /// If the client's law is outdated, appends the law as a member. Only the differences are
    /// written.
    func writeLaw(_ layout: ViewLayout, to out: inout ByteBuffer) {
        guard controlLaw.value.hasUnsentLaw else { return }
        out.beginMember("law")
        controlLaw.value.write(layout, to: &out)
    }

    /// Appends the additional members of an update.
    func writeChanges(_ layout: ViewLayout, to out: inout ByteBuffer) {
        writeLaw(layout, to: &out)
        guard isMispredicted else { return }
        isMispredicted = false
        out.appendMember("blend", Self.blendMs)
    }

    // MARK: Saved state

    /// The whole state, without the programmes.
    struct SavedState: Hashable, Codable {
        var indicators: ViewIndicators.SavedState
        var controlLaw: ControlLawSync
        var isMispredicted: Bool
        /// Nil in older journals, which do not contain it.
        var isClockDriven: Bool?

        private enum CodingKeys: String, CodingKey {
            case indicators
            case controlLaw = "book"
            case isMispredicted = "isMistaken"
            case isClockDriven = "isByClock"
        }
    }

    var savedState: SavedState {
        SavedState(
            indicators: indicators.savedState, controlLaw: controlLaw.value,
            isMispredicted: isMispredicted, isClockDriven: isClockDriven)
    }

    /// Restores the state. `indicators` must be restored from the same state.
    init(_ saved: SavedState, indicators: ViewIndicators) {
        self.indicators = indicators
        playsIndicators = indicators.settings.mode == .stream
        controlLaw = UnsafeBox(saved.controlLaw)
        isMispredicted = saved.isMispredicted
        isClockDriven = saved.isClockDriven ?? false
    }
}
