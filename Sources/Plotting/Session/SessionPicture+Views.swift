internal import RefreshProtocol

/// The lanes (horizontal strips of the picture) that show one view.
extension SessionPicture {
    func lanes(of view: RecordedView) -> [SessionLane] {
        var lanes = [offsetLane(of: view)]
        if view.edges.contains(where: { edge in edge.progress.contains { $0.value > 0 } }) {
            lanes.append(progressLane(of: view))
        }
        lanes += view.edges.map(stateLane)
        if view.edges.contains(where: { edge in edge.inset.contains { $0.value != 0 } }) {
            lanes.append(insetLane(of: view))
        }
        if !view.commands.isEmpty { lanes.append(commandLane(of: view)) }
        if !view.loads.isEmpty { lanes.append(loadLane(of: view)) }
        return lanes
    }

    /// Returns the lane of the offset. Larger offsets are drawn lower, so the line rises when the
    /// user pulls the list down.
    private func offsetLane(of view: RecordedView) -> SessionLane {
        let height = 190.0
        let extra = view.edges.flatMap { edge in edge.threshold.compactMap(\.value) }
        let shown = view.offset.map(\.value)
        // A threshold far from all offsets is not included, because it would flatten the line.
        let reach = max((shown.max() ?? 0) - (shown.min() ?? 0), 80)
        let near = extra.filter { value in
            value > (shown.min() ?? 0) - reach && value < (shown.max() ?? 0) + reach
        }
        return SessionLane(name: "offset", height: height) { top in
            let values = ValueScale(shown + near, top: top, height: height, growsDown: true)
            var drawn = valueAxis(values, unit: "")
            for touch in view.touches {
                let (from, to) = (scale.x(touch.lowerBound), scale.x(touch.upperBound))
                drawn +=
                    "<rect x=\"\(SVGNumber(from))\" y=\"\(SVGNumber(top))\" "
                    + "width=\"\(SVGNumber(max(to - from, 1)))\" height=\"\(SVGNumber(height))\" "
                    + "fill=\"\(SessionPalette.touch)\" fill-opacity=\"0.13\">"
                    + "<title>a finger is down</title></rect>\n"
            }
            let rests = view.rest.map {
                RecordedView.Mark<Double?>(t: $0.t, value: $0.value.lowerBound)
            }
            drawn += levels(rests, values, color: theme.faintInk, hint: "resting offset")
            for edge in view.edges {
                drawn += levels(
                    edge.threshold, values, color: SessionPalette.edge(isRefresh: edge.isRefresh),
                    hint: "threshold of \(edge.name)")
            }
            return drawn + curve(view.offset, values, color: theme.ink, width: 1.8)
        }
    }

    private func progressLane(of view: RecordedView) -> SessionLane {
        let height = 54.0
        return SessionLane(name: "progress", height: height) { top in
            let values = ValueScale(0...1.1, top: top, height: height)
            var drawn = valueAxis(values, ticks: [0, 1])
            drawn += line(
                x1: left, y1: values.y(1), x2: right, y2: values.y(1), color: theme.faintInk,
                width: 0.8, dash: "5 3")
            for edge in view.edges {
                drawn += curve(
                    edge.progress, values, color: SessionPalette.edge(isRefresh: edge.isRefresh),
                    fills: true)
            }
            return drawn
        }
    }

    private func stateLane(of edge: RecordedView.Edge) -> SessionLane {
        let height = 22.0
        return SessionLane(name: edge.name, height: height) { top in
            edge.states.enumerated().map { index, mark in
                let next = index + 1 < edge.states.count ? edge.states[index + 1].t : scale.end
                return bar(
                    from: mark.t, to: next, top: top, height: height,
                    color: SessionPalette.state(mark.value),
                    strength: SessionPalette.opacity(mark.value), label: mark.value.rawValue,
                    hint: "\(edge.name) \(mark.value.rawValue), "
                        + "\(TimeScale.label(mark.t)) to \(TimeScale.label(next))")
            }.joined()
        }
    }

    private func insetLane(of view: RecordedView) -> SessionLane {
        let height = 46.0
        let all = view.edges.flatMap { $0.inset.map { SVGNumber.clamped($0.value) } }
        return SessionLane(name: "insets", height: height) { top in
            let values = ValueScale(
                min(all.min() ?? 0, 0)...(max(all.max() ?? 0, 0.01) * 1.1), top: top,
                height: height)
            return valueAxis(values, ticks: [0, all.max() ?? 0])
                + view.edges.map { edge in
                    curve(
                        edge.inset, values, color: SessionPalette.edge(isRefresh: edge.isRefresh),
                        fills: true)
                }.joined()
        }
    }

    private func commandLane(of view: RecordedView) -> SessionLane {
        let height = 20.0
        return SessionLane(name: "commands", height: height) { top in
            let middle = top + height / 2
            return view.commands.enumerated().map { index, command in
                let x = scale.x(command.t)
                let next =
                    index + 1 < view.commands.count
                    ? scale.x(view.commands[index + 1].t) - 4 : right
                let words = command.value
                return "<circle cx=\"\(SVGNumber(x))\" cy=\"\(SVGNumber(middle))\" r=\"3\" "
                    + "fill=\"\(SessionPalette.refresh)\"><title>\(SVGText(words))"
                    + "</title></circle>\n"
                    + (x + 7 + Self.width(of: words, size: 10) < next
                        ? text(words, x: x + 7, y: middle + 3.6, size: 10, isFaint: true) : "")
            }.joined()
        }
    }

    /// Returns the lane of loads. Loads that overlap in time are drawn below each other.
    private func loadLane(of view: RecordedView) -> SessionLane {
        let row = 20.0
        var ends: [Double] = []
        let placed = view.loads.map { load -> (load: RecordedView.Load, row: Int) in
            let index = ends.firstIndex { $0 <= load.began } ?? ends.count
            if index == ends.count { ends.append(0) }
            ends[index] = load.ended ?? .infinity
            return (load, index)
        }
        return SessionLane(name: "loads", height: row * Double(max(ends.count, 1))) { top in
            placed.map { load, index in
                let later = placed.filter { $0.row == index && $0.load.began > load.began }
                return bar(
                    of: load, top: top + row * Double(index) + 1, height: row - 2,
                    free: later.map { scale.x($0.load.began) }.min() ?? right)
            }.joined()
        }
    }

    func hasFailed(_ load: RecordedView.Load) -> Bool {
        load.ended != nil && !load.outcome.hasSuffix("items") && load.outcome != "success"
    }

    /// Returns the bar of a load. A title that does not fit into the bar is drawn to the right of
    /// the bar, or omitted if the title would extend beyond the x coordinate `free`.
    private func bar(
        of load: RecordedView.Load, top: Double, height: Double, free: Double
    ) -> String {
        let isOpen = load.ended == nil
        let hasFailed = hasFailed(load)
        let end = load.ended ?? scale.end
        let (x, width) = (scale.x(end) + 5, Self.width(of: load.title, size: 10))
        let isBeside = scale.x(end) - scale.x(load.began) < width + 8 && x + width < free
        return bar(
            from: load.began, to: end, top: top, height: height,
            color: hasFailed ? SessionPalette.failure : SessionPalette.loadMore,
            strength: isOpen ? 0.4 : 0.8, label: load.title,
            hint: "\(load.title): \(isOpen ? "running" : load.outcome), "
                + TimeScale.label(end - load.began))
            + (isBeside
                ? text(load.title, x: x, y: top + height / 2 + 3.6, size: 10, isFaint: true) : "")
    }

    private func valueAxis(
        _ values: ValueScale, ticks: [Double]? = nil, unit: String = ""
    ) -> String {
        (ticks ?? values.ticks).map { value in
            text(
                "\(SVGNumber(value))\(unit)", x: left - 6, y: values.y(value) + 3.6, size: 10,
                isFaint: true, anchor: "end")
                + line(
                    x1: left - 3, y1: values.y(value), x2: left, y2: values.y(value),
                    color: theme.faintInk, width: 0.8)
        }.joined()
    }
}
