/// The value of a layer's property.
package enum PropertyValue: Hashable, Sendable {
    case number(Double)
    case color(RGBColor)

    /// The numbers of the value: one, or three for a colour.
    var numbers: [Double] {
        switch self {
        case .number(let value): [value]
        case .color(let color): [color.red, color.green, color.blue]
        }
    }
}
