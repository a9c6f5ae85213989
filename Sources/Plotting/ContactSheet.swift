package import RefreshIndicator
import RefreshProtocol

/// An indicator programme as one picture. It shows frames side by side: of the pull, of the
/// refresh, and of each way in which a refresh can end.
package struct ContactSheet {
    private let programme: Programme
    private let name: String
    private let theme: PlotTheme

    private static let margin = 28.0
    /// The distance between frames, in points.
    private static let gutter = 10.0
    /// The space around an indicator in its frame, in points.
    private static let padding = 14.0
    private static let cellMin = 66.0
    /// The maximum width of a frame. Frames of wider indicators are scaled down.
    private static let cellMax = 136.0
    private static let columnsMax = 13
    private static let widthMax = 1014.0
    private static let labelHeight = 34.0
    private static let headingHeight = 34.0
    private static let titleHeight = 66.0
    private static let families =
        "-apple-system, 'Segoe UI', Inter, Roboto, 'Helvetica Neue', 'DejaVu Sans', sans-serif"

    /// Creates a sheet. `name` is its title. `language` is the BCP 47 tag of the language of texts.
    package init(
        of programme: Programme, named name: String, language: String = "en",
        theme: PlotTheme = .light
    ) {
        self.programme = programme.localized(to: language)
        self.name = name
        self.theme = theme
    }

    /// The size of the visible part of the indicator's coordinate plane, in points.
    private var plane: Size {
        Size(
            width: max(programme.size.width + 2 * Self.padding, Self.cellMin),
            height: max(programme.size.height + 2 * Self.padding, Self.cellMin))
    }

    /// The size of a frame.
    private var cell: Size {
        let factor = min(1, Self.cellMax / plane.width)
        return Size(
            width: plane.width * factor, height: plane.height * factor)
    }

    private var columns: Int {
        let fitting = Int((Self.widthMax + Self.gutter) / (cell.width + Self.gutter))
        if fitting >= Self.columnsMax { return Self.columnsMax }
        // The frames of the pull do not fit into one row, so they are drawn in two rows. Each row
        // then has at most half of the frames, so the sheet has no more columns than that.
        return min(max(fitting, 2), (Self.columnsMax + 1) / 2)
    }

    /// The picture as an SVG document.
    package var svg: String {
        let columns = columns
        let rows = PreviewPlayback(programme).rows(columns: columns)
        let drawing = LayerDrawing(
            programme.layers, theme: theme, width: plane.width, height: plane.height)
        var body = title
        var y = Self.margin + Self.titleHeight
        for row in rows {
            body += heading(row, at: y)
            y += Self.headingHeight
            for (index, frame) in row.frames.enumerated() {
                let place = Point(
                    x: Self.margin + Double(index % columns) * (cell.width + Self.gutter),
                    y: y + Double(index / columns) * (cell.height + Self.labelHeight))
                let isStateChange = index == 0 || row.frames[index - 1].state != frame.state
                body += picture(frame, drawing, at: place, showsState: isStateChange)
            }
            let lines = (row.frames.count + columns - 1) / columns
            y += Double(lines) * (cell.height + Self.labelHeight) + 8
        }
        let width =
            2 * Self.margin + Double(columns) * (cell.width + Self.gutter) - Self.gutter
        return document(width: width, height: y + Self.margin - 14, body: body)
    }

    private func document(width: Double, height: Double, body: String) -> String {
        let (width, height) = (SVGNumber(width.rounded(.up)), SVGNumber(height.rounded(.up)))
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(height)\" "
            + "viewBox=\"0 0 \(width) \(height)\" font-family=\"\(Self.families)\">\n"
            + "<title>\(SVGText(name))</title>\n"
            + "<clipPath id=\"frame\">\(frameRect(fill: "none"))</clipPath>\n"
            + "<rect width=\"100%\" height=\"100%\" fill=\"\(theme.paper)\"/>\n" + body
            + "</svg>\n"
    }

    private var title: String {
        let top = Self.margin
        return text(name, x: Self.margin, y: top + 20, size: 24, weight: 600, color: theme.ink)
            + text(
                facts.joined(separator: " · "), x: Self.margin, y: top + 42, size: 12.5,
                color: theme.faintInk)
    }

    private var facts: [String] {
        var facts = [
            "\(SVGNumber(programme.size.width)) × \(SVGNumber(programme.size.height)) points",
            "\(programme.layers.count) layer\(programme.layers.count == 1 ? "" : "s")",
        ]
        if let run = programme.run {
            facts.append("cycle \(SVGNumber(run.duration - run.loopFrom)) ms")
            facts.append("ends \(Self.endingText(programme.finish?.ending ?? .atOnce))")
        }
        return facts
    }

    private static func endingText(_ ending: Programme.Ending) -> String {
        switch ending {
        case .atOnce: "at once"
        case .atStep: "at the end of a step"
        case .atCycle: "at the end of a cycle"
        case .atRelease: "at the release"
        }
    }

    private func heading(_ row: PlottedRow, at y: Double) -> String {
        let first = text(
            row.title, x: Self.margin, y: y + 18, size: 14, weight: 600, color: theme.ink)
        // The note is right-aligned, so that the width of the title does not matter.
        let edge = Self.margin + Double(columns) * (cell.width + Self.gutter) - Self.gutter
        return first
            + text(
                row.note, x: edge, y: y + 18, size: 11.5, color: theme.faintInk, anchor: "end")
    }

    private func picture(
        _ frame: PlottedFrame, _ drawing: LayerDrawing, at place: Point, showsState: Bool
    ) -> String {
        let (x, y) = (SVGNumber(place.x), SVGNumber(place.y))
        let (width, height) = (SVGNumber(cell.width), SVGNumber(cell.height))
        let box = [-plane.width / 2, -plane.height / 2, plane.width, plane.height].map {
            SVGNumber($0).text
        }.joined(separator: " ")
        let middle = place.x + cell.width / 2
        return "<svg x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\" "
            + "viewBox=\"\(box)\"><g clip-path=\"url(#frame)\">\(frameRect(fill: theme.cell))"
            + "\(drawing.elements(of: frame))</g>"
            + "\(frameRect(fill: "none", stroke: theme.line))</svg>\n"
            + text(
                frame.label, x: middle, y: place.y + cell.height + 14, size: 11,
                color: theme.ink, anchor: "middle")
            + (showsState && frame.label != frame.state.rawValue
                ? text(
                    frame.state.rawValue, x: middle, y: place.y + cell.height + 26, size: 9.5,
                    color: theme.faintInk, anchor: "middle") : "")
    }

    /// Returns the rectangle of a frame without its content, in the coordinates of the indicator.
    private func frameRect(fill: String, stroke: String? = nil) -> String {
        // The line is drawn inside the frame, because SVG draws half of a line outside its
        // rectangle.
        let inset = stroke == nil ? 0 : 0.5 * plane.width / cell.width
        let (width, height) = (plane.width - 2 * inset, plane.height - 2 * inset)
        let line = stroke.map {
            " stroke=\"\($0)\" stroke-width=\"\(SVGNumber(2 * inset))\""
        }
        return "<rect x=\"\(SVGNumber(-width / 2))\" y=\"\(SVGNumber(-height / 2))\" "
            + "width=\"\(SVGNumber(width))\" height=\"\(SVGNumber(height))\" "
            + "rx=\"\(SVGNumber(8 * plane.width / cell.width))\" fill=\"\(fill)\"\(line ?? "")/>"
    }

    private func text(
        _ text: String, x: Double, y: Double, size: Double, weight: Int = 400, color: String,
        anchor: String = "start"
    ) -> String {
        "<text x=\"\(SVGNumber(x))\" y=\"\(SVGNumber(y))\" font-size=\"\(SVGNumber(size))\""
            + (weight == 400 ? "" : " font-weight=\"\(weight)\"")
            + (anchor == "start" ? "" : " text-anchor=\"\(anchor)\"")
            + " fill=\"\(color)\">\(SVGText(text))</text>\n"
    }
}
