import RefreshEngine
import RefreshProtocol

/// What a view has besides, whose client draws by layers or paints by itself.
final class ViewLook {
    /// The law in force, and the one that the client has.
    private(set) var law: ControlLaw
    private var toldLaw: ControlLaw?
    private var ground: LawGround
    /// What the resistance that was told was worked out from; nil: none was.
    private var dampings: [Damping]?
    /// Whether the client moves the list by `pan`, and needs the resistance for it.
    private var pans: Bool
    let indicators: ViewIndicators
    /// Whether the client shows another state of the refresh edge than holds.
    private(set) var isMistaken = false

    /// Milliseconds in which a client goes over to what it had predicted otherwise.
    private static let blend = 150.0

    init(of engine: Engine, pans: Bool, indicators: ViewIndicators, at now: Instant) {
        self.indicators = indicators
        law = engine.law(at: now)
        ground = engine.lawGround(at: now)
        self.pans = pans
        noteResistance(engine)
    }

    /// Takes up what `event` has changed; whether there is something to tell.
    func note(_ event: Event, in engine: Engine, at now: Instant) -> Bool {
        let ground = engine.lawGround(at: now)
        switch event {
        case .scrolled: guard ground != self.ground else { return false }
        case .panned:
            guard ground != self.ground || !pans else { return false }
            pans = true
        default: break
        }
        self.ground = ground
        var law = engine.law(at: now)
        law.resistance = self.law.resistance
        self.law = law
        noteResistance(engine)
        hasNews = self.law != toldLaw
        return hasNews
    }

    /// The client shows what does not hold, and must be told.
    func noteMistake() { isMistaken = true }

    private func noteResistance(_ engine: Engine) {
        guard pans else { return }
        let dampings = engine.dampings
        guard dampings != self.dampings else { return }
        self.dampings = dampings
        law.resistance = Resistance(dampings, travel: engine.travelForeseen)
    }

    /// Whether the client has another law.
    private var hasNews = true

    /// Appends the law as a member, if the client has another one: what differs from that.
    func writeLaw(_ layout: ViewLayout, to out: inout ByteBuffer) {
        guard hasNews else { return }
        out.beginMember("law")
        LawEncoder.write(law, after: toldLaw, layout: layout, to: &out)
        toldLaw = law
        hasNews = false
    }

    /// Appends what an update has besides.
    func writeNews(_ layout: ViewLayout, to out: inout ByteBuffer) {
        writeLaw(layout, to: &out)
        guard isMistaken else { return }
        isMistaken = false
        out.member("blend", Self.blend)
    }
}
