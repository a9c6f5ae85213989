import RefreshProtocol

extension Layer {
    func json(_ resolved: (String) -> String) -> JSONValue {
        var members = [JSONValue.Member("name", .string(name))]
        func add(_ name: String, _ value: JSONValue) {
            members.append(JSONValue.Member(name, value))
        }
        switch content {
        case .path(let path, let stroke, let cap, let isFilled):
            add("path", .string(path.text))
            add("strokeWidth", .number(stroke))
            if cap != .butt { add("cap", .string(cap.rawValue)) }
            if isFilled != (stroke == 0) { add("filled", .bool(isFilled)) }
        case .text(let text, let size, let font):
            add("text", .string(resolved(text)))
            add("fontSize", .number(size))
            if let font { add("font", .string(font)) }
        case .image(let name, let width, let height):
            add("image", .string(name))
            add("width", .number(width))
            add("height", .number(height))
        case .box(let width, let height, let corner):
            add(
                "box",
                .object([
                    JSONValue.Member("width", width.map { .number($0) } ?? .null),
                    JSONValue.Member("height", height.map { .number($0) } ?? .null),
                    JSONValue.Member("corner", .number(corner)),
                ]))
        }
        for property in LayerProperty.allCases {
            if let value = values[property] { add(property.rawValue, value.json) }
        }
        return .object(members)
    }
}

extension PropertyValue {
    var json: JSONValue {
        switch self {
        case .number(let number): .number(number)
        case .color(let color): .string(color.text)
        }
    }
}

extension Key {
    var json: JSONValue {
        let parts = [JSONValue.number(position), value.json]
        return .array(easing == .linear ? parts : parts + [easing.json])
    }
}

extension Easing {
    var json: JSONValue {
        if let named = Self.named.first(where: { $0.easing == self }) {
            return .string(named.name)
        }
        switch self {
        case .linear: return .string("linear")
        case .cubicBezier(let x1, let y1, let x2, let y2):
            return functionObject("cubicBezier", [x1, y1, x2, y2].map { .number($0) })
        case .steps(let count, let jump):
            return functionObject("steps", [.number(Double(count)), .string(jump.rawValue)])
        case .spring(let damping, let periods):
            return functionObject("spring", [.number(damping), .number(periods)])
        }
    }

    private func functionObject(_ name: String, _ parameters: [JSONValue]) -> JSONValue {
        .object([JSONValue.Member(name, .array(parameters))])
    }
}
