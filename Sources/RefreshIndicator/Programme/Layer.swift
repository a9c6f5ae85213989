/// One drawn element. Source: docs/indicators.md, "Layers".
package struct Layer: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        /// `stroke` is the line width, points; 0: no line.
        case path(SVGPath, stroke: Double, cap: LineCap, isFilled: Bool)
        /// `size` in points; `font`: a font family, nil for the platform's.
        case text(String, size: Double, font: String?)
        /// An image that the client has under this name; the size is in points.
        case image(String, width: Double, height: Double)
        /// Points; nil: the full width of the list, or the full height of the gap.
        case box(width: Double?, height: Double?, corner: Double)
    }

    package enum LineCap: String, CaseIterable, Sendable {
        case butt, round, square
    }

    package var name: String
    package var content: Content
    /// The values while nothing moves the layer. A property without a value has the default of
    /// `LayerProperty`. Without a colour, the layer has the client's tint.
    package var values: [LayerProperty: PropertyValue]

    package init(
        _ name: String, _ content: Content, _ values: [LayerProperty: PropertyValue] = [:]
    ) {
        self.name = name
        self.content = content
        self.values = values
    }
}
