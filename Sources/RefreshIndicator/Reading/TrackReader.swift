import RefreshProtocol

/// Reads the tracks and settings of known layers.
struct TrackReader {
    private let layers: [Layer]

    init(_ layers: [Layer]) {
        self.layers = layers
    }

    /// Reads the `tracks` of a part. The positions of their keys must be between 0 and `most`.
    func tracks(
        of part: PlacedValue, upTo most: Double
    ) throws(ProgrammeError) -> [Track] {
        guard let value = try part.member("tracks") else { return [] }
        var tracks: [Track] = []
        for (name, properties) in try value.members() {
            for (property, keys) in try self.properties(of: name, properties) {
                tracks.append(Track(name, property, try self.keys(keys, property, upTo: most)))
            }
        }
        return tracks
    }

    /// The settings of a state.
    func settings(_ value: PlacedValue) throws(ProgrammeError) -> [StateLook.Setting] {
        var settings: [StateLook.Setting] = []
        for (name, properties) in try value.members() {
            for (property, own) in try self.properties(of: name, properties) {
                settings.append(StateLook.Setting(name, property, try property.value(own)))
            }
        }
        return settings
    }

    func texts(_ value: PlacedValue) throws(ProgrammeError) -> [String: String] {
        var texts: [String: String] = [:]
        for (name, text) in try value.members() {
            let layer = layers.first { $0.name == name }
            guard case .text = layer?.content else {
                throw text.error("there is no text layer \(name)")
            }
            texts[name] = try text.text()
        }
        return texts
    }

    private func properties(
        of name: String, _ value: PlacedValue
    ) throws(ProgrammeError) -> [(LayerProperty, PlacedValue)] {
        let layer = layers.first { $0.name == name }
        guard layer != nil || name == Track.everyLayer else {
            throw value.error("there is no layer \(name)")
        }
        var properties: [(LayerProperty, PlacedValue)] = []
        let known = LayerProperty.allCases.map(\.rawValue)
        for (word, own) in try value.members(among: known) {
            guard let property = LayerProperty(rawValue: word) else { continue }
            if property == .color, let layer, layer.values[.color] == nil {
                throw own.error("the layer has no colour of its own")
            }
            properties.append((property, own))
        }
        return properties
    }

    private func keys(
        _ value: PlacedValue, _ property: LayerProperty, upTo most: Double
    ) throws(ProgrammeError) -> [Key] {
        var keys: [Key] = []
        for element in try value.elements() {
            let parts = try element.elements()
            guard 2...3 ~= parts.count else {
                throw element.error("a key is [position, value] or [position, value, easing]")
            }
            let position = try parts[0].number(in: 0...most)
            if let last = keys.last, position < last.position {
                throw parts[0].error("positions must not decrease")
            }
            keys.append(
                Key(
                    position, try property.value(parts[1]),
                    parts.count == 3 ? try Easing(parts[2]) : .linear))
        }
        guard !keys.isEmpty else { throw value.error("expected at least one key") }
        return keys
    }
}

extension StateLook {
    init(_ value: PlacedValue, _ reader: TrackReader) throws(ProgrammeError) {
        self.init()
        _ = try value.members(among: ["set", "enter", "exit", "text"])
        if let set = try value.member("set") { self.set = try reader.settings(set) }
        if let enter = try value.member("enter") { self.enter = try Self.transitions(enter) }
        if let exit = try value.member("exit") { self.exit = try Self.transitions(exit) }
        if let text = try value.member("text") { self.texts = try reader.texts(text) }
    }

    private static func transitions(
        _ value: PlacedValue
    ) throws(ProgrammeError) -> [Transition] {
        var transitions: [Transition] = []
        for element in try value.elements() {
            _ = try element.members(among: ["duration", "easing", "properties"])
            var properties: Set<LayerProperty>?
            if let names = try element.member("properties") {
                properties = []
                for name in try names.elements() {
                    properties?.insert(try name.keyword(LayerProperty.self))
                }
            }
            transitions.append(
                Transition(
                    duration: try element.requiredMember("duration").duration(),
                    easing: try element.member("easing").map { value throws(ProgrammeError) in
                        try Easing(value)
                    } ?? .linear,
                    properties: properties))
        }
        return transitions
    }
}
