/// A recorded session as a picture. It shows the offset, the states and the loads of each view, and
/// the messages. Each of these has its own horizontal strip (lane). All lanes have the same time
/// axis.
package struct SessionPicture {
    let recording: SessionRecording
    let theme: PlotTheme
    let scale: TimeScale

    static let margin = 28.0
    private static let widthLeast = 480.0
    /// The width on the left for the names of lanes and their values.
    static let gutter = 118.0
    private static let titleHeight = 44.0
    private static let factsRow = 18.0
    private static let axisHeight = 22.0
    private static let laneGap = 10.0
    private static let headingHeight = 30.0
    private let width: Double

    /// Creates a picture. `width` is in points, and at least 480.
    package init(
        of recording: SessionRecording, theme: PlotTheme = .light, width: Double = 1100
    ) {
        self.recording = recording
        self.theme = theme
        self.width = max(width, Self.widthLeast)
        let left = Self.margin + Self.gutter
        scale = TimeScale(
            recording.eventTimes, from: left, width: self.width - left - Self.margin)
    }

    var left: Double { scale.left }
    var right: Double { scale.left + scale.width }

    /// The picture as an SVG document.
    package var svg: String {
        let facts = wrapped(recording.facts, separator: " · ", size: 12.5)
        var body = title(facts)
        var y = Self.margin + Self.titleHeight + Self.factsRow * Double(facts.count)
        for view in recording.views {
            body += heading(view, at: y)
            y += Self.headingHeight
            body += draw(self.lanes(of: view), at: &y)
            y += Self.laneGap
        }
        body += draw([messageLane], at: &y) + axis(at: y)
        y += Self.axisHeight + Self.laneGap
        body += drawLegend(at: &y)
        return document(height: y + Self.margin, body: body)
    }

    /// Returns the lanes, drawn below each other. The time grid is drawn behind the lanes, but not
    /// behind the headings of the views.
    private func draw(_ lanes: [SessionLane], at y: inout Double) -> String {
        let top = y
        var drawn = ""
        for lane in lanes { drawn += draw(lane, at: &y) }
        return grid(from: top, to: y - Self.laneGap) + drawn
    }

    private func document(height: Double, body: String) -> String {
        let (width, height) = (SVGNumber(width.rounded(.up)), SVGNumber(height.rounded(.up)))
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(height)\" "
            + "viewBox=\"0 0 \(width) \(height)\" font-family=\"\(SessionPicture.families)\">\n"
            + "<title>\(SVGText("Session \(recording.session)"))</title>\n"
            + "<rect width=\"100%\" height=\"100%\" fill=\"\(theme.paper)\"/>\n" + body
            + "</svg>\n"
    }

    private static let families =
        "-apple-system, 'Segoe UI', Inter, Roboto, 'Helvetica Neue', 'DejaVu Sans', sans-serif"

    private func title(_ facts: [String]) -> String {
        let rows = facts.enumerated().map { row, facts in
            text(
                facts, x: Self.margin, y: Self.margin + 42 + Self.factsRow * Double(row),
                size: 12.5, isFaint: true)
        }
        return text(
            "Session \(recording.session)", x: Self.margin, y: Self.margin + 20, size: 22,
            weight: 600) + rows.joined()
    }

    /// Returns the parts in as many rows as the width requires.
    private func wrapped(_ parts: [String], separator: String, size: Double) -> [String] {
        parts.reduce(into: []) { rows, part in
            let longer = rows.last.map { $0 + separator + part }
            if let longer, Self.width(of: longer, size: size) <= right - Self.margin {
                rows[rows.count - 1] = longer
            } else {
                rows.append(part)
            }
        }
    }

    private func heading(_ view: RecordedView, at y: Double) -> String {
        let profile = view.profile.isEmpty ? "" : ", profile \(view.profile)"
        let heading = fitted("View \(view.name)\(profile)", size: 14)
        return text(heading, x: Self.margin, y: y + 18, size: 14, weight: 600)
    }

    /// Returns the longest prefix of a text that fits. A shortened text ends with an ellipsis.
    private func fitted(_ text: String, size: Double) -> String {
        var shown = text
        while Self.width(of: shown, size: size) > right - Self.margin {
            shown = String(shown.dropLast(2)) + "…"
        }
        return shown
    }

    private func draw(_ lane: SessionLane, at y: inout Double) -> String {
        let ground =
            "<rect x=\"\(SVGNumber(left))\" y=\"\(SVGNumber(y))\" "
            + "width=\"\(SVGNumber(scale.width))\" height=\"\(SVGNumber(lane.height))\" "
            + "rx=\"3\" fill=\"\(theme.cell)\" fill-opacity=\"0.6\"/>\n"
        let name = text(
            lane.name, x: Self.margin, y: y + min(lane.height / 2, 60) + 4, size: 11.5)
        let body = lane.draw(y)
        y += lane.height + Self.laneGap
        return ground + name + body
    }

    /// Returns the lines of the time axis, the shortened silences (periods without events), and the
    /// periods without a connection.
    private func grid(from top: Double, to bottom: Double) -> String {
        let height = SVGNumber(bottom - top)
        let lines = scale.ticks.map { t in
            line(x1: scale.x(t), y1: top, x2: scale.x(t), y2: bottom, color: theme.line)
        }
        let silences = scale.silences.map { silence in
            "<rect x=\"\(SVGNumber(scale.x(silence.from)))\" y=\"\(SVGNumber(top))\" "
                + "width=\"\(SVGNumber(TimeScale.silenceWidth))\" height=\"\(height)\" "
                + "fill=\"\(theme.line)\" fill-opacity=\"0.5\"><title>"
                + "\(TimeScale.label(silence.to - silence.from)) without messages</title></rect>\n"
        }
        let absences = recording.absences.map { absence in
            let (from, to) = (scale.x(absence.lowerBound), scale.x(absence.upperBound))
            return "<rect x=\"\(SVGNumber(from))\" y=\"\(SVGNumber(top))\" "
                + "width=\"\(SVGNumber(max(to - from, 2)))\" height=\"\(height)\" "
                + "fill=\"\(SessionPalette.failure)\" fill-opacity=\"0.12\">"
                + "<title>without a connection</title></rect>\n"
        }
        return (lines + silences + absences).joined()
    }

    private func axis(at y: Double) -> String {
        let marks = scale.ticks.map { t in
            let label = TimeScale.label(t)
            // The last label must not extend beyond the right edge of the picture.
            let x = min(scale.x(t), width - Self.width(of: label, size: 10.5) / 2)
            return text(label, x: x, y: y + 12, size: 10.5, isFaint: true, anchor: "middle")
        }
        let silences = scale.silences.map { silence in
            text(
                "⋯", x: scale.x(silence.from) + TimeScale.silenceWidth / 2, y: y + 12, size: 12,
                isFaint: true, anchor: "middle")
        }
        return (marks + silences).joined()
    }
}

/// A horizontal strip of the picture of a session.
struct SessionLane {
    var name: String
    /// The height of the lane, in points.
    var height: Double
    /// Returns the drawing of the lane with its upper edge at `top`.
    var draw: (_ top: Double) -> String
}
