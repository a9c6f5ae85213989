internal import RefreshProtocol

/// The legend of colours. It also explains those bars and bands that are too narrow to contain
/// their names.
extension SessionPicture {
    /// A sample of a colour and its meaning.
    struct LegendEntry: Equatable {
        enum Sample: Equatable {
            case bar(opacity: Double)
            case line
            case dashes
        }

        var sample: Sample
        var color: String
        var name: String
    }

    /// The entries for the elements that this picture contains.
    var legend: [LegendEntry] {
        let edges = recording.views.flatMap(\.edges)
        var entries = stateEntries(of: edges)
        for isRefresh in [true, false] where edges.contains(where: { $0.isRefresh == isRefresh }) {
            entries.append(
                LegendEntry(
                    sample: .line, color: SessionPalette.edge(isRefresh: isRefresh),
                    name: isRefresh ? "refresh edge" : "load-more edge"))
        }
        if edges.contains(where: { edge in edge.threshold.contains { $0.value != nil } }) {
            entries.append(
                LegendEntry(
                    sample: .dashes, color: theme.ink, name: "threshold, in its edge's colour"))
        }
        if recording.views.contains(where: { !$0.rest.isEmpty }) {
            entries.append(
                LegendEntry(sample: .dashes, color: theme.faintInk, name: "resting offset"))
        }
        return entries + loadEntries + timeEntries
    }

    private func stateEntries(of edges: [RecordedView.Edge]) -> [LegendEntry] {
        let shown = Set(edges.flatMap { $0.states.map(\.value) })
        return EdgeState.allCases.filter(shown.contains).reduce(into: []) { entries, state in
            let sample = LegendEntry.Sample.bar(opacity: SessionPalette.opacity(state))
            let color = SessionPalette.state(state)
            let same = entries.firstIndex { $0.color == color && $0.sample == sample }
            if let same {
                entries[same].name += ", " + state.rawValue
            } else {
                entries.append(LegendEntry(sample: sample, color: color, name: state.rawValue))
            }
        }
    }

    private var loadEntries: [LegendEntry] {
        let loads = recording.views.flatMap(\.loads)
        var entries: [LegendEntry] = []
        if !loads.isEmpty {
            entries.append(
                LegendEntry(
                    sample: .bar(opacity: 0.8), color: SessionPalette.loadMore, name: "load"))
        }
        if loads.contains(where: hasFailed) || recording.messages.contains(where: \.isError) {
            entries.append(
                LegendEntry(
                    sample: .bar(opacity: 0.8), color: SessionPalette.failure,
                    name: "load without items, or a fault"))
        }
        return entries
    }

    private var timeEntries: [LegendEntry] {
        var entries: [LegendEntry] = []
        if recording.views.contains(where: { !$0.touches.isEmpty }) {
            entries.append(
                LegendEntry(
                    sample: .bar(opacity: 0.13), color: SessionPalette.touch,
                    name: "a finger is down"))
        }
        if !recording.absences.isEmpty {
            entries.append(
                LegendEntry(
                    sample: .bar(opacity: 0.12), color: SessionPalette.failure,
                    name: "without a connection"))
        }
        if !scale.silences.isEmpty {
            entries.append(
                LegendEntry(
                    sample: .bar(opacity: 0.5), color: theme.line,
                    name: "time without messages, shortened"))
        }
        return entries
    }

    /// Returns the legend in rows of the picture's width, and advances `y` past it.
    func drawLegend(at y: inout Double) -> String {
        let (size, sample, row) = (10.5, 18.0, 20.0)
        var x = Self.margin
        var drawn = ""
        for entry in legend {
            let width = sample + 6 + Self.width(of: entry.name, size: size)
            if x > Self.margin, x + width > right {
                x = Self.margin
                y += row
            }
            drawn +=
                draw(entry.sample, color: entry.color, x: x, y: y, width: sample)
                + text(entry.name, x: x + sample + 6, y: y + 10, size: size, isFaint: true)
            x += width + 16
        }
        y += row
        return drawn
    }

    private func draw(
        _ sample: LegendEntry.Sample, color: String, x: Double, y: Double, width: Double
    ) -> String {
        switch sample {
        case .bar(let opacity):
            "<rect x=\"\(SVGNumber(x))\" y=\"\(SVGNumber(y))\" width=\"\(SVGNumber(width))\" "
                + "height=\"12\" rx=\"2\" fill=\"\(color)\" fill-opacity=\"\(SVGNumber(opacity))\"/>\n"
        case .line: line(x1: x, y1: y + 6, x2: x + width, y2: y + 6, color: color, width: 1.6)
        case .dashes:
            line(x1: x, y1: y + 6, x2: x + width, y2: y + 6, color: color, width: 1.2, dash: "5 3")
        }
    }
}
