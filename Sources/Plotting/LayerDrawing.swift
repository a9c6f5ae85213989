import RefreshIndicator

/// Draws layers as SVG elements, in the same way as a client draws them.
struct LayerDrawing {
    private let layers: [Layer]
    /// The paths with their lengths, by layer. Nil for layers that are not paths.
    private let paths: [MeasuredPath?]
    private let theme: PlotTheme
    /// The width and the height of boxes whose layer does not specify them, in points.
    private let width: Double
    private let height: Double

    init(_ layers: [Layer], theme: PlotTheme, width: Double, height: Double) {
        self.layers = layers
        self.theme = theme
        self.width = width
        self.height = height
        paths = layers.map { layer in
            guard case .path(let path, _, _, _) = layer.content else { return nil }
            return MeasuredPath(path)
        }
    }

    /// Returns all layers of a frame. The last layer is on top.
    func elements(of frame: PlottedFrame) -> String {
        layers.indices.map { element(of: $0, in: frame) }.joined()
    }

    private func element(of index: Int, in frame: PlottedFrame) -> String {
        let layer = layers[index]
        func value(_ property: LayerProperty, _ part: Int = 0) -> Double {
            frame.values[index * LayerProperty.slotsPerLayer + property.slot + part]
        }
        let opacity = SVGNumber(min(max(value(.opacity), 0), 1))
        let scale = SVGNumber(value(.scale))
        guard opacity.text != "0", scale.text != "0" else { return "" }
        let color =
            layer.values[.color] == nil
            ? theme.tint : RGBColor(value(.color), value(.color, 1), value(.color, 2)).text
        let drawing: String
        switch layer.content {
        case .path(let path, let stroke, let cap, let isFilled):
            drawing =
                (isFilled ? "<path d=\"\(path.shortText)\" fill=\"\(color)\"/>" : "")
                + stroked(
                    paths[index], from: value(.strokeStart), to: value(.strokeEnd),
                    width: stroke, cap: cap, color: color)
        case .text(_, let size, let font):
            drawing = text(
                frame.texts[index] ?? "", size: size, font: font, color: color)
        case .image(let name, let width, let height):
            drawing = image(name, width: width, height: height)
        case .box(let width, let height, let corner):
            drawing = box(
                width: width ?? self.width, height: height ?? self.height, corner: corner,
                attributes: "fill=\"\(color)\"")
        }
        guard !drawing.isEmpty else { return "" }
        var attributes = ""
        let transform = Self.transform(
            x: SVGNumber(value(.x)), y: SVGNumber(value(.y)),
            degrees: SVGNumber(value(.rotation) * 180 / .pi), scale: scale)
        if !transform.isEmpty { attributes += " transform=\"\(transform)\"" }
        if opacity.text != "1" { attributes += " opacity=\"\(opacity)\"" }
        return attributes.isEmpty ? drawing : "<g\(attributes)>\(drawing)</g>"
    }

    private static func transform(
        x: SVGNumber, y: SVGNumber, degrees: SVGNumber, scale: SVGNumber
    ) -> String {
        var parts: [String] = []
        if x.text != "0" || y.text != "0" { parts.append("translate(\(x) \(y))") }
        if degrees.text != "0" { parts.append("rotate(\(degrees))") }
        if scale.text != "1" { parts.append("scale(\(scale))") }
        return parts.joined(separator: " ")
    }

    private func stroked(
        _ path: MeasuredPath?, from start: Double, to end: Double, width: Double,
        cap: Layer.LineCap, color: String
    ) -> String {
        guard width > 0, let part = path?.path(from: start, to: end), part.bounds != nil else {
            return ""
        }
        return "<path d=\"\(part.shortText)\" fill=\"none\" stroke=\"\(color)\" "
            + "stroke-width=\"\(SVGNumber(width))\" stroke-linecap=\"\(cap.rawValue)\" "
            + "stroke-linejoin=\"round\"/>"
    }

    private func text(_ text: String, size: Double, font: String?, color: String) -> String {
        guard !text.isEmpty else { return "" }
        let family = font.map { " font-family=\"\(SVGText($0))\"" } ?? ""
        return "<text text-anchor=\"middle\" dy=\".35em\" font-size=\"\(SVGNumber(size))\" "
            + "fill=\"\(color)\"\(family)>\(SVGText(text))</text>"
    }

    /// Returns a placeholder for an image, because only the client has the image itself. The
    /// placeholder shows the outline and the name of the image.
    private func image(_ name: String, width: Double, height: Double) -> String {
        let size = min(width, height) / 6
        return box(
            width: width, height: height, corner: size / 2,
            attributes: "fill=\"none\" stroke=\"\(theme.faintInk)\" stroke-dasharray=\"3 3\"")
            + text(name, size: size, font: nil, color: theme.faintInk)
    }

    private func box(
        width: Double, height: Double, corner: Double, attributes: String
    ) -> String {
        let round = corner > 0 ? " rx=\"\(SVGNumber(corner))\"" : ""
        return "<rect x=\"\(SVGNumber(-width / 2))\" y=\"\(SVGNumber(-height / 2))\" "
            + "width=\"\(SVGNumber(width))\" height=\"\(SVGNumber(height))\"\(round) \(attributes)/>"
    }
}

/// The colours of a contact sheet.
package enum PlotTheme: String, CaseIterable, Sendable {
    case light, dark

    var paper: String { self == .light ? "#ffffff" : "#141619" }
    /// The background of a frame.
    var cell: String { self == .light ? "#f3f5f8" : "#20242a" }
    var line: String { self == .light ? "#dfe3ea" : "#343a43" }
    var ink: String { self == .light ? "#16191d" : "#f1f3f6" }
    var faintInk: String { self == .light ? "#6b7480" : "#98a1ad" }
    /// The colour of layers without a colour. A client uses its tint instead.
    var tint: String { self == .light ? "#2460b8" : "#7db2ff" }
}
