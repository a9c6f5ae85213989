import RefreshEngine
import RefreshProtocol

/// The current control law of one view, and the control law that its client has.
struct ControlLawSync: Hashable, Codable {
    private var law: ControlLaw
    private var known: ControlLaw
    private var isKnown = false
    /// Whether the client has an outdated law, or no law.
    private(set) var hasUnsentLaw = true
    /// The inputs from which `law` was computed.
    private var inputs: ControlLawInputs
    /// The dampings from which the resistance was last computed; nil if it was not computed.
    private var dampings: [Damping]?
    /// Whether the client reports the finger by `pan`, so that the engine moves the list. Such a
    /// client needs the resistance.
    private(set) var pans: Bool

    // The names of the members in journals.
    private enum CodingKeys: String, CodingKey {
        case law, known, isKnown, dampings, pans
        case hasUnsentLaw = "hasNews"
        case inputs = "ground"
    }

    init(of engine: Engine, pans: Bool, at now: Instant) {
        inputs = engine.controlLawInputs(at: now)
        law = engine.law(on: inputs)
        known = law
        self.pans = pans
        updateResistance(engine)
    }

    /// Updates the law after `event`. Returns whether there is a law to send.
    mutating func update(after event: Event, in engine: inout Engine, at now: Instant) -> Bool {
        var isOther = inputs.update(from: &engine, at: now)
        switch event {
        case .edgeEnabled, .edgesConfigured, .geometryChanged: isOther = true
        case .panned:
            isOther = isOther || !pans
            pans = true
        default: break
        }
        guard isOther else { return hasUnsentLaw }
        let resistance = law.resistance
        law = engine.law(on: inputs)
        law.resistance = resistance
        updateResistance(engine)
        hasUnsentLaw = !isKnown || law.differs(from: &known)
        return hasUnsentLaw
    }

    private mutating func updateResistance(_ engine: Engine) {
        guard pans else { return }
        let dampings = engine.dampings
        guard dampings != self.dampings else { return }
        self.dampings = dampings
        law.resistance = Resistance(dampings, travel: engine.coveredTravel)
    }

    /// Whether `offset` is outside the range in which a list may rest according to the client's
    /// law.
    func isBeyondKnownRest(_ offset: Double) -> Bool { isKnown && !known.rest.contains(offset) }

    /// Appends the law. If the client already has a law, only the differences are written.
    mutating func write(_ layout: ViewLayout, to out: inout ByteBuffer) {
        if isKnown {
            LawEncoder.write(&law, after: &known, layout: layout, to: &out)
        } else {
            LawEncoder.write(&law, layout: layout, to: &out)
        }
        known = law
        isKnown = true
        hasUnsentLaw = false
    }
}
