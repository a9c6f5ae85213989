import RefreshProtocol

/// The settings, texts and transitions of one state. Each setting contains the index of its number
/// in the look (the slot).
struct CompiledState: Sendable {
    /// The values of properties in this state.
    private(set) var settings: [(slot: Int, value: Double)] = []
    /// The enter transition of each property, in the order of the properties.
    let enter: [Transition?]
    let exit: [Transition?]
    /// The text of each layer in this state; nil for the layer's own text.
    let texts: [String?]

    /// Whether the state sets one of these slots.
    func sets(anyOf slots: [Int]) -> Bool { settings.contains { slots.contains($0.slot) } }

    init(_ look: StateLook, layers: [Layer]) {
        enter = Self.transitions(look.enter)
        exit = Self.transitions(look.exit)
        texts = layers.map { look.texts[$0.name] }
        for (index, layer) in layers.enumerated() {
            for property in LayerProperty.allCases {
                let own = look.set.last { $0.property == property && $0.layer == layer.name }
                let common = look.set.last {
                    $0.property == property && $0.layer == Track.everyLayer
                }
                guard let setting = own ?? common else { continue }
                if property == .color, layer.values[.color] == nil { continue }
                let slot = index * LayerProperty.slotsPerLayer + property.slot
                for (part, number) in setting.value.numbers.enumerated() {
                    settings.append((slot + part, number))
                }
            }
        }
    }

    private static func transitions(_ transitions: [Transition]) -> [Transition?] {
        LayerProperty.allCases.map { property in
            transitions.first { $0.properties?.contains(property) ?? true }
        }
    }
}
