/// The transition of properties from the look of one state to that of the next.
package struct Transition: Hashable, Sendable, Codable {
    /// The duration in milliseconds.
    package var duration: Double
    package var easing: Easing
    /// The properties of the transition. Nil for all properties that no earlier transition of the
    /// state names.
    package var properties: Set<LayerProperty>?

    package init(
        duration: Double, easing: Easing = .linear, properties: Set<LayerProperty>? = nil
    ) {
        self.duration = duration
        self.easing = easing
        self.properties = properties
    }
}

extension Transition {
    private enum Keys: String, CodingKey {
        case duration, easing, properties
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Keys.self)
        self.init(
            duration: try values.decode(Double.self, forKey: .duration),
            easing: try values.decode(Easing.self, forKey: .easing),
            properties: try values.decodeIfPresent(Set<LayerProperty>.self, forKey: .properties))
    }

    /// Encodes the properties in the order of their declaration. The order of a set differs between
    /// processes, but a journal must contain the same bytes in every process.
    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Keys.self)
        try values.encode(duration, forKey: .duration)
        try values.encode(easing, forKey: .easing)
        if let properties {
            let inOrder = LayerProperty.allCases.filter(properties.contains)
            try values.encode(inOrder, forKey: .properties)
        }
    }
}
