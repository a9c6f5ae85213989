/// How properties go from what one state shows to what the next does.
package struct Transition: Hashable, Sendable, Codable {
    /// Milliseconds.
    package var duration: Double
    package var easing: Easing
    /// Nil: all that an earlier transition of the state does not name.
    package var properties: Set<LayerProperty>?

    package init(
        duration: Double, easing: Easing = .linear, properties: Set<LayerProperty>? = nil
    ) {
        self.duration = duration
        self.easing = easing
        self.properties = properties
    }
}
