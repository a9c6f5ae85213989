/// What a state shows in addition to the parts of the programme: settings, transitions and texts.
/// Source: docs/indicators.md, "States, transitions, texts".
package struct StateLook: Hashable, Sendable {
    /// The value of a property in this state. The value overrides the parts.
    package struct Setting: Hashable, Sendable {
        /// The name of the layer, or `*` for every layer without its own setting.
        package var layer: String
        package var property: LayerProperty
        package var value: PropertyValue

        package init(_ layer: String, _ property: LayerProperty, _ value: PropertyValue) {
            self.layer = layer
            self.property = property
            self.value = value
        }
    }

    package var set: [Setting] = []
    package var enter: [Transition] = []
    package var exit: [Transition] = []
    /// Texts of text layers, by the layer's name.
    package var texts: [String: String] = [:]

    package init() {}
}
