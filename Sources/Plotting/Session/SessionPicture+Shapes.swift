/// The shapes of which lanes (horizontal strips of the picture) consist.
extension SessionPicture {
    func text(
        _ text: String, x: Double, y: Double, size: Double, weight: Int = 400,
        isFaint: Bool = false, color: String? = nil, anchor: String = "start"
    ) -> String {
        "<text x=\"\(SVGNumber(x))\" y=\"\(SVGNumber(y))\" font-size=\"\(SVGNumber(size))\""
            + (weight == 400 ? "" : " font-weight=\"\(weight)\"")
            + (anchor == "start" ? "" : " text-anchor=\"\(anchor)\"")
            + " fill=\"\(color ?? (isFaint ? theme.faintInk : theme.ink))\">\(SVGText(text))</text>\n"
    }

    /// Returns the approximate width of a text, in points.
    static func width(of text: String, size: Double) -> Double {
        Double(text.count) * size * 0.58
    }

    func line(
        x1: Double, y1: Double, x2: Double, y2: Double, color: String, width: Double = 1,
        dash: String? = nil
    ) -> String {
        "<line x1=\"\(SVGNumber(x1))\" y1=\"\(SVGNumber(y1))\" x2=\"\(SVGNumber(x2))\" "
            + "y2=\"\(SVGNumber(y2))\" stroke=\"\(color)\" stroke-width=\"\(SVGNumber(width))\""
            + (dash.map { " stroke-dasharray=\"\($0)\"" } ?? "") + "/>\n"
    }

    /// Returns a bar for a period. The bar shows its label if the label fits. Its tooltip is
    /// `hint`.
    func bar(
        from: Double, to: Double, top: Double, height: Double, color: String, strength: Double,
        label: String, hint: String
    ) -> String {
        let (x, end) = (scale.x(from), scale.x(to))
        let width = max(end - x, 1.5)
        let size = 10.5
        let fits = Self.width(of: label, size: size) + 8 < width
        return "<g><title>\(SVGText(hint))</title><rect x=\"\(SVGNumber(x))\" "
            + "y=\"\(SVGNumber(top))\" width=\"\(SVGNumber(width))\" "
            + "height=\"\(SVGNumber(height))\" rx=\"2\" fill=\"\(color)\" "
            + "fill-opacity=\"\(SVGNumber(strength))\"/>"
            + (fits
                ? text(
                    label, x: x + 4, y: top + height / 2 + 3.8, size: size,
                    color: strength > 0.5 ? "#ffffff" : theme.ink) : "")
            + "</g>\n"
    }

    /// Returns values over time as a line. If `isStepped` is true, each value stays constant until
    /// the next one.
    func curve(
        _ marks: [RecordedView.Mark<Double>], _ values: ValueScale, color: String,
        width: Double = 1.6, isStepped: Bool = false, fills: Bool = false
    ) -> String {
        guard let first = marks.first, let last = marks.last else { return "" }
        var path = "M\(point(first.t, first.value, values))"
        var drawn = (x: scale.x(first.t), y: values.y(first.value))
        for mark in marks.dropFirst() {
            let (x, y) = (scale.x(mark.t), values.y(mark.value))
            // Points that are visually indistinguishable are drawn once.
            guard x - drawn.x > 0.4 || abs(y - drawn.y) > 0.4 else { continue }
            if isStepped { path += "H\(SVGNumber(x))" }
            path += "L\(SVGNumber(x)) \(SVGNumber(y))"
            drawn = (x, y)
        }
        let end = isStepped ? right : scale.x(last.t)
        path += "H\(SVGNumber(end))"
        let base = SVGNumber(values.y(max(values.range.lowerBound, 0)))
        let area =
            fills
            ? "<path d=\"\(path)V\(base)H\(SVGNumber(scale.x(first.t)))Z\" fill=\"\(color)\" "
                + "fill-opacity=\"0.22\"/>" : ""
        return area + "<path d=\"\(path)\" fill=\"none\" stroke=\"\(color)\" "
            + "stroke-width=\"\(SVGNumber(width))\" stroke-linejoin=\"round\"/>\n"
    }

    private func point(_ t: Double, _ value: Double, _ values: ValueScale) -> String {
        "\(SVGNumber(scale.x(t))) \(SVGNumber(values.y(value)))"
    }

    /// Returns a line that is horizontal between two marks. After a mark without a value, there is
    /// no line until the next mark.
    func levels(
        _ marks: [RecordedView.Mark<Double?>], _ values: ValueScale, color: String, hint: String
    ) -> String {
        var drawn = ""
        for (index, mark) in marks.enumerated() {
            guard let value = mark.value, values.range.contains(value) else { continue }
            let next = index + 1 < marks.count ? marks[index + 1].t : scale.end
            drawn += line(
                x1: scale.x(mark.t), y1: values.y(value), x2: scale.x(next), y2: values.y(value),
                color: color, width: 1.2, dash: "5 3")
        }
        return drawn.isEmpty ? "" : "<g><title>\(SVGText(hint))</title>\(drawn)</g>\n"
    }
}
