/// The transition of properties from the look of one state to that of the next.
package struct Transition: Hashable, Sendable, Codable {
    /// Milliseconds.
    package var duration: Double
    package var easing: Easing
    /// Nil: all properties that no earlier transition of the state names.
    package var properties: Set<LayerProperty>?

    package init(
        duration: Double, easing: Easing = .linear, properties: Set<LayerProperty>? = nil
    ) {
        self.duration = duration
        self.easing = easing
        self.properties = properties
    }
}
