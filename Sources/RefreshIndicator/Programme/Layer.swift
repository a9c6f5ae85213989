/// One drawn element. Source: docs/indicators.md, "Layers".
package struct Layer: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        /// `stroke` is the line width in points; 0: the path has no line.
        case path(SVGPath, stroke: Double, cap: LineCap, isFilled: Bool)
        /// `size` is in points. `font` is a font family; nil: the font of the platform.
        case text(String, size: Double, font: String?)
        /// An image that the client has under this name; the size is in points.
        case image(String, width: Double, height: Double)
        /// The lengths are in points. If `width` is nil, it is the full width of the list. If
        /// `height` is nil, it is the full height of the gap between the list's edge and its
        /// content.
        case box(width: Double?, height: Double?, corner: Double)
    }

    package enum LineCap: String, CaseIterable, Sendable {
        case butt, round, square
    }

    package var name: String
    package var content: Content
    /// The values while nothing moves the layer. A property without a value has the default of
    /// `LayerProperty`. A layer without a colour has the client's tint.
    package var values: [LayerProperty: PropertyValue]

    package init(
        _ name: String, _ content: Content, _ values: [LayerProperty: PropertyValue] = [:]
    ) {
        self.name = name
        self.content = content
        self.values = values
    }
}
