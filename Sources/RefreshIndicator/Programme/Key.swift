/// A value at a position of a part. The position is a time or a *pull*: the pulled fraction of the
/// distance to the edge's threshold.
package struct Key: Hashable, Sendable {
    /// The pull, or the time in milliseconds.
    package var position: Double
    package var value: PropertyValue
    /// The easing from the previous key to this one.
    package var easing: Easing

    package init(_ position: Double, _ value: PropertyValue, _ easing: Easing = .linear) {
        self.position = position
        self.value = value
        self.easing = easing
    }

    package init(_ position: Double, _ value: Double, _ easing: Easing = .linear) {
        self.init(position, .number(value), easing)
    }

    package init(_ position: Double, _ color: RGBColor, _ easing: Easing = .linear) {
        self.init(position, .color(color), easing)
    }
}

/// The course of one property of one layer, or of all layers, during a part.
package struct Track: Hashable, Sendable {
    /// The name that stands for every layer without a track of its own for the property.
    package static let everyLayer = "*"

    package var layer: String
    package var property: LayerProperty
    /// The keys of the track, at least one. Their positions never decrease.
    package var keys: [Key]

    package init(_ layer: String, _ property: LayerProperty, _ keys: [Key]) {
        self.layer = layer
        self.property = property
        self.keys = keys
    }
}
