import RefreshEngine
import RefreshProtocol

/// The additional state of a view of a `stream` or `local` client.
final class ViewPresentation {
    let indicators: ViewIndicators
    /// Whether indicators are played for the client, so that it is sent frames.
    let plays: Bool
    private let book: UnsafeBox<ControlLawSync>
    /// Whether the client shows another state of the refresh edge than the real one.
    private var isMistaken = false

    /// Whether the pending output is a frame that no message has caused.
    private var isByClock = false

    /// How long a client takes to blend from its wrong prediction to the real state, milliseconds.
    private static let blend = 150.0

    /// Whether the client moves the list by `pan`.
    var pans: Bool { book.value.pans }

    init(of engine: Engine, pans: Bool, indicators: ViewIndicators, at now: Instant) {
        self.indicators = indicators
        plays = indicators.settings.mode == .stream
        book = UnsafeBox(ControlLawSync(of: engine, pans: pans, at: now))
    }

    /// Updates the state after `event`. Returns whether there is anything to send besides `update`;
    /// a non-empty `update` includes the frame. Engine and update are read in place and not
    /// changed.
    func note(
        _ event: Event, in engine: inout Engine, telling update: inout ViewUpdate, at now: Instant
    ) -> Bool {
        let hasNewLaw = book.value.note(event, in: &engine, at: now)
        guard plays else { return hasNewLaw }
        indicators.followPull(&engine, at: now)
        indicators.look(at: now)
        return hasNewLaw || (update.isEmptyInPlace() && indicators.hasNews())
    }

    /// Records that the client shows a wrong state and must be corrected.
    func noteMistake() { isMistaken = true }

    /// Records that the clock has caused the pending output.
    func noteClock() { isByClock = true }

    /// Returns whether the clock has caused the pending output, and resets that.
    func takeClock() -> Bool {
        defer { isByClock = false }
        return isByClock
    }

    /// Appends the law as a member, if the client's law is outdated. Only the differences are
    /// written.
    func writeLaw(_ layout: ViewLayout, to out: inout ByteBuffer) {
        guard book.value.hasNews else { return }
        out.beginMember("law")
        book.value.write(layout, to: &out)
    }

    /// Appends the additional members of an update.
    func writeNews(_ layout: ViewLayout, to out: inout ByteBuffer) {
        writeLaw(layout, to: &out)
        guard isMistaken else { return }
        isMistaken = false
        out.member("blend", Self.blend)
    }

    // MARK: Saved state

    /// The whole state, without the programmes.
    struct Memory: Hashable, Codable {
        var indicators: ViewIndicators.Memory
        var book: ControlLawSync
        var isMistaken: Bool
        /// As in the view; nil in journals from before it was recorded.
        var isByClock: Bool?
    }

    var memory: Memory {
        Memory(
            indicators: indicators.memory, book: book.value, isMistaken: isMistaken,
            isByClock: isByClock)
    }

    /// Restores the state that was saved as `memory`.
    init(_ memory: Memory, indicators: ViewIndicators) {
        self.indicators = indicators
        plays = indicators.settings.mode == .stream
        book = UnsafeBox(memory.book)
        isMistaken = memory.isMistaken
        isByClock = memory.isByClock ?? false
    }
}
