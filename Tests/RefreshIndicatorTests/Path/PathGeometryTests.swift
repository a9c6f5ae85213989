import Testing

@testable import RefreshIndicator

@Suite("Lengths, extents and points of paths")
struct PathGeometryTests {
    @Test(
        "The extents are those of the curve, not of its control points",
        arguments: [
            ("M0 0Q50 100 100 0", Box(minX: 0, minY: 0, maxX: 100, maxY: 50)),
            ("M0 0C0 100 100 100 100 0", Box(minX: 0, minY: 0, maxX: 100, maxY: 75)),
            (
                "M0 0C100 100 -100 100 0 0",
                Box(minX: -28.867_513_459_481_29, minY: 0, maxX: 28.867_513_459_481_29, maxY: 75)
            ),
            ("M0 0C0 0 100 100 100 100", Box(minX: 0, minY: 0, maxX: 100, maxY: 100)),
            ("M0 0C30 10 60 20 90 30", Box(minX: 0, minY: 0, maxX: 90, maxY: 30)),
            ("M5 5H3M9 9M1 1L2 2", Box(minX: 1, minY: 1, maxX: 5, maxY: 5)),
            ("M5 5M100 100", nil), ("M5 5Z", Box(minX: 5, minY: 5, maxX: 5, maxY: 5)),
            ("M0 0Q0 0 0 0", Box(minX: 0, minY: 0, maxX: 0, maxY: 0)),
        ] as [(String, Box?)])
    func bounds(text: String, box: Box?) throws {
        let bounds = try SVGPath(parsing: text).bounds
        guard let bounds, let box else {
            #expect(bounds == box)
            return
        }
        #expect(bounds.isNear(box, within: 1e-12), "\(bounds)")
    }

    @Test(
        "Lengths are correct, also with cusps and turns",
        arguments: [
            ("M0 0L3 4", 5), ("M0 0H10V10H0Z", 40), ("M0 0H1M5 5H6", 2), ("M1 1Z", 0),
            // A parabola over 0...1 with the slope 0...2.
            ("M0 0Q.5 0 1 1", 1.478_942_857_544_597),
            // Curves that go back and forth on a line.
            ("M0 0Q10 0 0 0", 10), ("M0 0C10 0 10 0 0 0", 15),
            ("M0 0C10 0 -10 0 0 0", 11.547_005_383_792_515),
            // A cusp: both derivatives are 0 in the middle. The length is 2 sqrt(2) - 1.
            ("M0 0C1 1 0 1 1 0", 1.828_427_124_746_190_1),
            ("M0 0C0 0 0 0 10 0", 10), ("M0 0C0 0 10 0 10 0", 10),
            // A line that is drawn almost without speed in the middle, but without a turn.
            ("M0 3C.2501 3 .0002 3 .2503 3", 0.2503),
            // Half a circle.
            ("M0 0a1 1 0 0 1 2 0", .pi),
        ])
    func length(text: String, length: Double) throws {
        let own = try SVGPath(parsing: text).length
        #expect(own.isNear(length, within: 1e-9 * max(length, 1)), "\(own)")
    }

    @Test("The length of a curve is the limit of the length of its chords")
    func chords() throws {
        let texts = [
            "M0 0C10 90 80 -60 30 40", "M0 0C100 0 0 1 100 1", "M3 7Q80 -2 4 6.5",
            "M0 0C100 100 0 100 100 0", "M0 0C100 100.001 0 100 100 0", "M0 0C1e-3 0 0 1e3 7 8",
            "M1 2A30 5 33 1 0 9 8", "M1 2A30 .01 33 1 1 9 8",
            "M0 3C.2501 3.0001 .0002 3.0001 .2503 3",
        ]
        for text in texts {
            let path = try SVGPath(parsing: text)
            guard let segment = path.drawn.first else { continue }
            let count = 200_000
            var (sum, last) = (0.0, segment.start)
            for step in 1...count {
                let point = segment.point(at: Double(step) / Double(count))
                sum += (point - last).magnitude
                last = point
            }
            #expect(path.length.isNear(sum, within: 3e-9 * sum), "\(text): \(path.length) \(sum)")
        }
    }

    @Test("If a straight curve first goes back a little, its length includes the way back")
    func corners() throws {
        for exponent in 0...6 {
            for digit in 1...9 {
                var back = Double(digit)
                for _ in 0..<exponent { back /= 10 }
                let length = 10 + 2 * back * back / (10 + 2 * back)
                for text in [
                    "M0 0Q-\(back) 0 10 0", "M10 0Q-\(back) 0 0 0",
                    "M0 0Q-\(back * 0.6)-\(back * 0.8) 6 8",
                ] {
                    let own = try SVGPath(parsing: text).length
                    #expect(own.isNear(length, within: 1e-9), "\(text)")
                }
            }
        }
    }

    @Test("The point at a fraction is found along all sub-paths together")
    func points() throws {
        let path = try SVGPath(parsing: "M0 0H10V10H0ZM100 0H110M200 0H230")
        #expect(path.length == 80)
        let wanted: [(Double, Point)] = [
            (-1, .at(0, 0)), (0, .at(0, 0)), (1.0 / 16, .at(5, 0)), (0.125, .at(10, 0)),
            (0.4375, .at(0, 5)), (0.5, .at(0, 0)), (0.5625, .at(105, 0)), (0.625, .at(110, 0)),
            (0.8125, .at(215, 0)), (1, .at(230, 0)), (7, .at(230, 0)), (.nan, .at(0, 0)),
            (.infinity, .at(230, 0)),
        ]
        for (fraction, point) in wanted {
            #expect(path.point(at: fraction)?.isNear(point) == true, "\(fraction)")
        }
    }

    @Test("A drawn path of length 0 has a point at each fraction, and no result is NaN")
    func noLength() throws {
        for text in ["M5 6Z", "M5 6L5 6", "M5 6C5 6 5 6 5 6", "M1 1M5 6Q5 6 5 6ZZ"] {
            let path = try SVGPath(parsing: text)
            #expect(path.length == 0)
            for fraction in [0, 0.3, 1] { #expect(path.point(at: fraction) == .at(5, 6)) }
            let fractions = path.nodeFractions(smoothing: 2)
            #expect(fractions.allSatisfy { $0 >= 0 && $0 <= 1 } && fractions.last == 1)
            #expect(path.path(from: 0, to: 1) == path)
            #expect(path.path(from: 0, to: 0.5).length == 0)
        }
        let move = try SVGPath(parsing: "M5 6")
        #expect(move.length == 0 && move.bounds == nil && move.point(at: 0.5) == nil)
        #expect(move.nodeFractions(smoothing: 3) == [0])
        #expect(move.path(from: 0.2, to: 1).segments.isEmpty)
        #expect(move.fitted(into: Box(minX: 0, minY: 0, maxX: 9, maxY: 9)) == move)
    }

    @Test(
        "A part of a path is the drawing between two fractions",
        arguments: [
            (0, 1, "M0 0H10V10H0ZM20 0H40"), (0, 0.5, "M0 0H10V10H0L0 10"),
            (0.125, 0.25, "M7.5 0H10V5"), (0.5, 0.75, "M0 10V0M20 0H25"),
            (0, 2.0 / 3, "M0 0H10V10H0Z"), (2.0 / 3, 1, "M20 0H40"), (0.5, 1, "M0 10V0M20 0H40"),
            (0.4, 0.4, ""), (0.7, 0.2, ""), (.nan, 1, ""), (-3, 0.25, "M0 0H10V5"),
            (0.75, 9, "M25 0H40"),
        ] as [(Double, Double, String)])
    func parts(from: Double, to: Double, text: String) throws {
        let path = try SVGPath(parsing: "M0 0H10V10H0ZM20 0H40")
        let (part, wanted) = (path.path(from: from, to: to), try SVGPath(parsing: text))
        #expect(
            part.drawn.filter { $0.start != $0.end }.count
                == wanted.drawn.filter { $0.start != $0.end }.count)
        #expect(part.length.isNear(wanted.length))
        for step in 0...20 {
            let fraction = Double(step) / 20
            guard let point = wanted.point(at: fraction) else { continue }
            #expect(part.point(at: fraction)?.isNear(point) == true, "\(part.text)")
        }
    }

    @Test("A complete sub-path stays closed. In a cut one, the closing edge becomes a line")
    func closing() throws {
        let path = try SVGPath(parsing: "M0 0H10V10ZL-10 0V5Z")
        #expect(path.path(from: 0, to: 0.99).text.hasPrefix("M0 0L10 0L10 10ZL-10 0"))
        let cut = path.path(from: 0.01, to: 1).segments
        #expect(!cut.contains { if case .close = $0 { true } else { false } })
        #expect(cut.count { if case .move = $0 { true } else { false } } == 1)
        #expect(cut.last?.end == .at(0, 0))
    }

    @Test("Smoothing cuts each segment except closing edges into equal parameter ranges")
    func smoothing() throws {
        let path = try SVGPath(parsing: "M0 0L8 0Q8 8 0 8C-4 4-4 8-8 8A4 4 0 0 0-8 0Z")
        #expect(path.smoothed(0) == path && path.smoothed(-4) == path)
        let halves = path.smoothed(1)
        #expect(
            halves.segments.prefix(5) == [
                .move(.at(0, 0)), .line(.at(0, 0), .at(4, 0)), .line(.at(4, 0), .at(8, 0)),
                .quadratic(.at(8, 0), .at(8, 4), .at(6, 6)),
                .quadratic(.at(6, 6), .at(4, 8), .at(0, 8)),
            ])
        #expect(halves.segments.count == 10)
        #expect(halves.segments.last == .close(from: .at(-8, 0), to: .at(0, 0)))
        #expect(halves.smoothed(1).segments.count == path.smoothed(2).segments.count)
        #expect(path.smoothed(99).segments.count == 2 + 4 * 64)
        for times in 0...6 {
            #expect(path.smoothed(times).length.isNear(path.length, within: 1e-10))
            #expect(
                path.nodeFractions(smoothing: times).count == path.smoothed(times).segments.count)
        }
    }

    @Test("The fraction of a node is the length up to the node, divided by the whole length")
    func nodes() throws {
        let path = try SVGPath(parsing: "M0 0H30V10H0ZM50 0H70")
        let wanted: [Double] = [0, 30, 40, 70, 80, 80, 100]
        for (own, way) in zip(path.nodeFractions(smoothing: 0), wanted) {
            #expect(own.isNear(way / 100, within: 1e-15))
        }
        #expect(
            path.nodeFractions(smoothing: 1).map { ($0 * 100).rounded() } == [
                0, 15, 30, 35, 40, 55, 70, 80, 80, 90, 100,
            ])
        let bent = try SVGPath(parsing: "M0 0C0 100 0 0 10 0Q20 0 20 9")
        let pieces = bent.smoothed(3)
        for (index, fraction) in bent.nodeFractions(smoothing: 3).enumerated() {
            let drawn = SVGPath(segments: Array(pieces.segments.prefix(index + 1)))
            #expect(drawn.length.isNear(fraction * bent.length, within: 1e-9))
        }
    }

    @Test("A `MeasuredPath` gives the same results as the path that it contains")
    func measured() throws {
        let path = try SVGPath(parsing: "M0 0C10 90 80 -60 30 40A20 9 10 1 1 3 4Z")
        let measured = MeasuredPath(path)
        #expect(measured.length == path.length && measured.path == path)
        for step in 0...7 {
            let fraction = Double(step) / 7
            #expect(measured.point(at: fraction) == path.point(at: fraction))
            #expect(measured.path(from: 0, to: fraction) == path.path(from: 0, to: fraction))
        }
        #expect(measured.nodeFractions(smoothing: 2) == path.nodeFractions(smoothing: 2))
    }
}
