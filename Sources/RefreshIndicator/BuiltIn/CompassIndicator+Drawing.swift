extension CompassIndicator {
    /// A dial with four marks, for lines 2.5 points wide, in a square of 60 points.
    static let compass: [PathSegment] = {
        let radius = 26.0
        let mark = 19.5
        let (top, bottom) = (Point(x: 0, y: -radius), Point(x: 0, y: radius))
        var segments: [PathSegment] = [.move(top)]
        for (from, to) in [(top, bottom), (bottom, top)] {
            segments += [
                EllipticalArc(
                    from: from, to: to, radiusX: radius, radiusY: radius, rotation: 0,
                    isLarge: false, isClockwise: true)
            ].compactMap { $0 }.map { .arc($0) }
        }
        for direction in [(0.0, -1.0), (1, 0), (0, 1), (-1, 0)] {
            let outer = Point(x: direction.0 * radius, y: direction.1 * radius)
            let inner = Point(x: direction.0 * mark, y: direction.1 * mark)
            segments += [.move(outer), .line(outer, inner)]
        }
        return segments
    }()

    /// A needle with a hole in its lower part, so that each quarter turn is visible. It is a filled
    /// drawing in a square of 60 points.
    static let arrow: [PathSegment] =
        closedPolygon([(0, -18), (6.5, 0), (0, 18), (-6.5, 0)])
        + closedPolygon([(-3.4, 1.5), (0, 11.5), (3.4, 1.5)])

    private static func closedPolygon(_ corners: [(Double, Double)]) -> [PathSegment] {
        let points = corners.map { Point(x: $0.0, y: $0.1) }
        guard let first = points.first, let last = points.last else { return [] }
        return [.move(first)] + zip(points, points.dropFirst()).map { .line($0, $1) }
            + [.close(from: last, to: first)]
    }
}

extension CompassIndicator.Half {
    /// Reads one half of the indicator: the compass or the needle. If the file does not set the
    /// width of the half, `width` is its width.
    init(_ value: PlacedValue, width: Double) throws(ProgrammeError) {
        _ = try value.members(among: CompassIndicator.halfFields)
        let path = try value.member("path")?.path()
        let stroke = try value.member("strokeWidth")
        let image = try value.member("image")
        if let image, path != nil { throw image.error("a half is a path or an image, not both") }
        if let stroke, path == nil { throw stroke.error("only a path can have a stroke") }
        let strokeWidth = try stroke?.number(in: 0...ProgrammeLimits.lengthMax)
        self.width = try value.member("width")?.number(in: IndicatorBounds.width) ?? width
        if let path {
            picture = .path(path, stroke: strokeWidth ?? 0)
        } else if let image {
            picture = .image(try image.name())
        }
    }
}
