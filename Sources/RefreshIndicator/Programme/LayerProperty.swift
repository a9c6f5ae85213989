/// The animatable properties of a layer. Source: docs/indicators.md, "Layers".
package enum LayerProperty: String, CaseIterable, Sendable, Codable {
    /// Points from the programme's origin.
    case x, y
    /// Radians, clockwise.
    case rotation
    case scale
    /// 0...1.
    case opacity
    case color
    /// Fractions of a path's length, 0...1.
    case strokeStart, strokeEnd

    /// The number of slots of a layer. A property has one slot, but the colour has three.
    package static let slotsPerLayer = 10

    /// The index of the property's number among the numbers of its layer. For a colour, it is the
    /// index of the first number.
    package var slot: Int {
        switch self {
        case .x: 0
        case .y: 1
        case .rotation: 2
        case .scale: 3
        case .opacity: 4
        case .color: 5
        case .strokeStart: 8
        case .strokeEnd: 9
        }
    }

    /// The property that has the number at that index of its layer. For a colour, any of its three
    /// indices is accepted.
    package static func at(slot: Int) -> LayerProperty {
        switch slot {
        case 0: .x
        case 1: .y
        case 2: .rotation
        case 3: .scale
        case 4: .opacity
        case 5...7: .color
        case 8: .strokeStart
        default: .strokeEnd
        }
    }

    /// Whether a change of the property is a movement. Users who prefer reduced motion do not see
    /// movements.
    var isMovement: Bool {
        switch self {
        case .x, .y, .rotation, .scale: true
        case .opacity, .color, .strokeStart, .strokeEnd: false
        }
    }

    /// The default value. For a colour, it is a component of black, and black stands for the tint.
    var initial: Double {
        switch self {
        case .scale, .opacity, .strokeEnd: 1
        case .x, .y, .rotation, .color, .strokeStart: 0
        }
    }
}

/// The value of a layer's property.
package enum PropertyValue: Hashable, Sendable {
    case number(Double)
    case color(RGBColor)

    /// The numbers of the value: three for a colour, and one for every other property.
    var numbers: [Double] {
        switch self {
        case .number(let value): [value]
        case .color(let color): [color.red, color.green, color.blue]
        }
    }
}
