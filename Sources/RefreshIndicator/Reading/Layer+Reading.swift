import RefreshProtocol

extension Layer {
    /// The kinds of layers. `name` is the member that states the kind. `members` are the other
    /// members that this kind has in addition to those of every layer.
    package static let kinds: [(name: String, members: [String])] = [
        ("path", ["strokeWidth", "cap", "filled"]), ("text", ["fontSize", "font"]),
        ("image", ["width", "height"]), ("box", []),
    ]

    init(_ value: PlacedValue) throws(ProgrammeError) {
        let found = try value.members().map(\.name)
        let kinds = Self.kinds.filter { found.contains($0.name) }
        guard let kind = kinds.first, kinds.count == 1 else {
            throw value.error("expected one of path, text, image and box")
        }
        let properties = LayerProperty.allCases.map(\.rawValue)
        _ = try value.members(among: ["name", kind.name] + kind.members + properties)
        let name = try value.requiredMember("name").name()
        guard name != Track.everyLayer else { throw value.error("* is not a layer name") }
        let content = try Self.content(of: value, kind.name)
        var values: [LayerProperty: PropertyValue] = [:]
        for property in LayerProperty.allCases {
            guard let own = try value.member(property.rawValue) else { continue }
            values[property] = try property.value(own)
        }
        self.init(name, content, values)
    }

    private static func content(
        of value: PlacedValue, _ kind: String
    ) throws(ProgrammeError) -> Content {
        let most = ProgrammeLimits.lengthMax
        switch kind {
        case "path":
            let stroke = try value.member("strokeWidth")?.number(in: 0...most) ?? 0
            return .path(
                try value.requiredMember("path").path(), stroke: stroke,
                cap: try value.member("cap")?.keyword(LineCap.self) ?? .butt,
                isFilled: try value.member("filled")?.flag() ?? (stroke == 0))
        case "text":
            return .text(
                try value.requiredMember("text").text(),
                size: try value.member("fontSize")?.positiveNumber(upTo: most) ?? 17,
                font: try value.member("font")?.text())
        case "image":
            return .image(
                try value.requiredMember("image").name(),
                width: try value.requiredMember("width").positiveNumber(upTo: most),
                height: try value.requiredMember("height").positiveNumber(upTo: most))
        default:
            let box = try value.requiredMember("box")
            _ = try box.members(among: ["width", "height", "corner"])
            return .box(
                width: try box.member("width")?.positiveNumber(upTo: most),
                height: try box.member("height")?.positiveNumber(upTo: most),
                corner: try box.member("corner")?.number(in: 0...most) ?? 0)
        }
    }
}

extension LayerProperty {
    /// Reads a value of the property.
    func value(_ value: PlacedValue) throws(ProgrammeError) -> PropertyValue {
        switch self {
        case .x, .y, .rotation, .scale:
            .number(
                try value.number(in: -ProgrammeLimits.lengthMax...ProgrammeLimits.lengthMax))
        case .opacity, .strokeStart, .strokeEnd: .number(try value.number(in: 0...1))
        case .color: .color(try value.color())
        }
    }
}
