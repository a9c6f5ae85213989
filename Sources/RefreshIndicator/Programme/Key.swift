/// A value at a place of a part: of the pull, or of time.
package struct Key: Hashable, Sendable {
    /// Pull, or milliseconds.
    package var position: Double
    package var value: PropertyValue
    /// How the value comes here from the key before.
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
