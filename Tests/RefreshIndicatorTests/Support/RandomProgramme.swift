import RefreshIndicator
import RefreshProtocol

/// Random programmes that are valid but unusual.
struct RandomProgramme {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func next() -> Programme {
        let layers = (0..<1 + random.below(4)).map { layer($0) }
        var programme = Programme(layers: layers)
        programme.pull = tracks(layers, upTo: 3)
        if random.chance(80) {
            let duration = Double(1 + random.below(2000))
            programme.run = Programme.Run(
                duration: duration,
                loopFrom: random.chance(50) ? 0 : Double(random.below(Int(duration) + 1)),
                step: random.chance(50) ? nil : Double(1 + random.below(500)),
                tracks: tracks(layers, upTo: duration))
        }
        if random.chance(80) {
            programme.finish = Programme.Finish(
                ending: Programme.Ending.allCases[random.below(4)], success: clip(layers),
                failure: clip(layers))
        }
        for state in EdgeState.allCases where random.chance(40) {
            programme.states[state] = look(layers)
        }
        return programme
    }

    private mutating func layer(_ index: Int) -> Layer {
        var values: [LayerProperty: PropertyValue] = [:]
        for property in LayerProperty.allCases where random.chance(40) {
            values[property] = value(property)
        }
        let content: Layer.Content =
            random.chance(50)
            ? .text("own \(index)", size: 17, font: nil)
            : .box(width: 10, height: nil, corner: 2)
        return Layer("l\(index)", content, values)
    }

    private mutating func value(_ property: LayerProperty) -> PropertyValue {
        switch property {
        case .color:
            return .color(
                RGBColor(
                    Double(random.below(256)), Double(random.below(256)),
                    Double(random.below(256))))
        case .opacity, .strokeStart, .strokeEnd:
            return .number(random.sixteenths(from: 0, to: 1))
        case .x, .y, .rotation, .scale: return .number(random.sixteenths(from: -50, to: 50))
        }
    }

    private mutating func tracks(_ layers: [Layer], upTo most: Double) -> [Track] {
        var tracks: [Track] = []
        for name in layers.map(\.name) + [Track.everyLayer] {
            for property in LayerProperty.allCases where random.chance(30) {
                let layer = layers.first { $0.name == name }
                if property == .color, let layer, layer.values[.color] == nil { continue }
                tracks.append(Track(name, property, keys(property, upTo: most)))
            }
        }
        return tracks
    }

    private mutating func keys(_ property: LayerProperty, upTo most: Double) -> [Key] {
        var positions = (0..<1 + random.below(5)).map { _ in
            Double(random.below(Int(most * 8) + 1)) / 8
        }
        positions.sort()
        return positions.map { Key($0, value(property), easing()) }
    }

    private mutating func easing() -> Easing {
        switch random.below(6) {
        case 0: .linear
        case 1: .hold
        case 2: Easing.named[random.below(Easing.named.count)].easing
        case 3:
            .cubicBezier(
                x1: random.sixteenths(from: 0, to: 1), y1: random.sixteenths(from: -2, to: 2),
                x2: random.sixteenths(from: 0, to: 1), y2: random.sixteenths(from: -2, to: 2))
        case 4:
            .steps(2 + random.below(5), Easing.Jump.allCases[random.below(4)])
        default:
            .spring(
                damping: Double(1 + random.below(15)) / 16,
                periods: random.sixteenths(from: 0.25, to: 8))
        }
    }

    private mutating func clip(_ layers: [Layer]) -> Programme.Clip? {
        guard random.chance(70) else { return nil }
        let duration = Double(1 + random.below(600))
        return Programme.Clip(duration: duration, tracks: tracks(layers, upTo: duration))
    }

    private mutating func look(_ layers: [Layer]) -> StateLook {
        var look = StateLook()
        for name in layers.map(\.name) + [Track.everyLayer] {
            for property in LayerProperty.allCases where random.chance(15) {
                let layer = layers.first { $0.name == name }
                if property == .color, let layer, layer.values[.color] == nil { continue }
                look.set.append(StateLook.Setting(name, property, value(property)))
            }
        }
        look.enter = transitions()
        look.exit = transitions()
        for layer in layers where random.chance(40) {
            if case .text = layer.content { look.texts[layer.name] = "t\(random.below(4))" }
        }
        return look
    }

    private mutating func transitions() -> [Transition] {
        (0..<random.below(3)).map { _ in
            let some = Set(LayerProperty.allCases.filter { _ in random.chance(50) })
            return Transition(
                duration: Double(1 + random.below(400)), easing: easing(),
                properties: random.chance(50) ? nil : some)
        }
    }
}
