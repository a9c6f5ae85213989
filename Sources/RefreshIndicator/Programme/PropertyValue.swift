/// What a layer's property can be.
package enum PropertyValue: Hashable, Sendable {
    case number(Double)
    case color(RGBColor)

    /// Its numbers: one, or three of a colour.
    var numbers: [Double] {
        switch self {
        case .number(let value): [value]
        case .color(let color): [color.red, color.green, color.blue]
        }
    }
}
