import RefreshEngine
import RefreshProtocol

/// What a view has besides, whose client draws by layers or paints by itself.
final class ViewLook {
    let indicators: ViewIndicators
    /// Whether indicators are played for the client, and it is told of frames.
    let plays: Bool
    private let book: Owned<LawBook>
    /// Whether the client shows another state of the refresh edge than holds.
    private var isMistaken = false

    /// Whether what waits to be told is a frame that no message has caused.
    private var isByClock = false

    /// Milliseconds in which a client goes over to what it had predicted otherwise.
    private static let blend = 150.0

    /// Whether the client moves the list by `pan`.
    var pans: Bool { book.value.pans }

    init(of engine: Engine, pans: Bool, indicators: ViewIndicators, at now: Instant) {
        self.indicators = indicators
        plays = indicators.settings.mode == .stream
        book = Owned(LawBook(of: engine, pans: pans, at: now))
    }

    /// Takes up what `event` has changed; whether there is anything to tell beside `update`, which
    /// has the frame with it, if there is one. Engine and update are asked in place and not
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

    /// The client shows what does not hold, and must be told.
    func noteMistake() { isMistaken = true }

    /// The clock is why there is something to tell.
    func noteClock() { isByClock = true }

    /// Whether it was; from now on it is not.
    func takeClock() -> Bool {
        defer { isByClock = false }
        return isByClock
    }

    /// Appends the law as a member, if the client has another one: what differs from that.
    func writeLaw(_ layout: ViewLayout, to out: inout ByteBuffer) {
        guard book.value.hasNews else { return }
        out.beginMember("law")
        book.value.write(layout, to: &out)
    }

    /// Appends what an update has besides.
    func writeNews(_ layout: ViewLayout, to out: inout ByteBuffer) {
        writeLaw(layout, to: &out)
        guard isMistaken else { return }
        isMistaken = false
        out.member("blend", Self.blend)
    }

    // MARK: Going on elsewhere

    /// All of a look, without its programmes.
    struct Memory: Hashable, Codable {
        var indicators: ViewIndicators.Memory
        var book: LawBook
        var isMistaken: Bool
        /// Nil: nobody has written it down.
        var isByClock: Bool?
    }

    var memory: Memory {
        Memory(
            indicators: indicators.memory, book: book.value, isMistaken: isMistaken,
            isByClock: isByClock)
    }

    /// The one that `memory` is of.
    init(_ memory: Memory, indicators: ViewIndicators) {
        self.indicators = indicators
        plays = indicators.settings.mode == .stream
        book = Owned(memory.book)
        isMistaken = memory.isMistaken
        isByClock = memory.isByClock ?? false
    }
}
