/// What a state shows beside the parts. Source: docs/indicators.md, "States, transitions, texts".
package struct StateLook: Hashable, Sendable {
    /// What a property is in this state, whatever the parts say.
    package struct Setting: Hashable, Sendable {
        /// `*` for every layer that is not named.
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
