/// How one property of one layer, or of all, goes through a part.
package struct Track: Hashable, Sendable {
    /// The name that stands for every layer without a track of the property by its own.
    package static let everyLayer = "*"

    package var layer: String
    package var property: LayerProperty
    /// At least one; their positions do not fall.
    package var keys: [Key]

    package init(_ layer: String, _ property: LayerProperty, _ keys: [Key]) {
        self.layer = layer
        self.property = property
        self.keys = keys
    }
}
