/// One thing that is drawn. Source: docs/indicators.md, "Layers".
package struct Layer: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        /// `stroke` is the width of its line, points; 0: none.
        case path(SVGPath, stroke: Double, cap: LineCap, isFilled: Bool)
        /// `size` in points; `font`: a family, nil for the platform's.
        case text(String, size: Double, font: String?)
        /// A picture that the client has, by its name; points.
        case image(String, width: Double, height: Double)
        /// Points; nil: all of the list's width, or of the gap.
        case box(width: Double?, height: Double?, corner: Double)
    }

    package enum LineCap: String, CaseIterable, Sendable {
        case butt, round, square
    }

    package var name: String
    package var content: Content
    /// What it is while nothing moves it; what is not here is as `LayerProperty` has it. Without a
    /// colour it has the client's tint.
    package var values: [LayerProperty: PropertyValue]

    package init(
        _ name: String, _ content: Content, _ values: [LayerProperty: PropertyValue] = [:]
    ) {
        self.name = name
        self.content = content
        self.values = values
    }
}
