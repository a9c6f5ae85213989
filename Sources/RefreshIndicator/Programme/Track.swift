/// The course of one property of one layer, or of all layers, during a part.
package struct Track: Hashable, Sendable {
    /// The name for every layer that does not have its own track of the property.
    package static let everyLayer = "*"

    package var layer: String
    package var property: LayerProperty
    /// At least one; positions never decrease.
    package var keys: [Key]

    package init(_ layer: String, _ property: LayerProperty, _ keys: [Key]) {
        self.layer = layer
        self.property = property
        self.keys = keys
    }
}
