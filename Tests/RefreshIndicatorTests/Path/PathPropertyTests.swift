import Testing

@testable import RefreshIndicator

@Suite("Properties of every path")
struct PathPropertyTests {
    /// Calls `body` with random paths. The seed is printed.
    private func forEachPath(
        _ name: String, seed: UInt64, count: Int = 300,
        _ body: (SVGPath, RandomPath, inout SeededGenerator) throws -> Void
    ) throws {
        var random = SeededGenerator("paths: \(name)", seed: seed)
        for _ in 0..<count {
            let spelt = RandomPath(using: &random, length: 1 + random.below(12))
            try body(try SVGPath(parsing: spelt.absolute), spelt, &random)
        }
    }

    @Test("The absolute and the relative spelling of a path give the same path")
    func spellings() throws {
        try forEachPath("spellings", seed: 20_261_121, count: 2000) { path, spelt, _ in
            let other = try SVGPath(parsing: spelt.relative)
            #expect(other == path, "\(spelt.relative)")
        }
    }

    @Test("Parsing the text of a path gives the same path")
    func texts() throws {
        try forEachPath("texts", seed: 20_261_122, count: 2000) { path, _, _ in
            let again = try SVGPath(parsing: path.text)
            #expect(again == path && again.text == path.text, "\(path.text)")
        }
    }

    @Test("Each segment begins where the previous one ended")
    func continuity() throws {
        try forEachPath("continuity", seed: 20_261_123) { path, _, random in
            let from = Double(random.below(1000)) / 1000
            let cut = path.path(from: from, to: from + Double(random.below(1000)) / 1000)
            for path in [path, path.smoothed(2), cut] {
                var pen: Point?
                for segment in path.segments {
                    if segment.isDrawn { #expect(segment.start == pen, "\(path.text)") }
                    pen = segment.end
                }
            }
        }
    }

    @Test("The extents contain 1,000 points of the curve, and the curve touches their sides")
    func extents() throws {
        try forEachPath("extents", seed: 20_261_124, count: 200) { path, spelt, _ in
            guard let box = path.bounds else { return }
            var seen: Box?
            for segment in path.drawn {
                let count = 1000 / path.drawn.count + 1
                for step in 0...count {
                    let point = segment.point(at: Double(step) / Double(count))
                    #expect(box.covers(point, within: 1e-9), "\(spelt.absolute)")
                    if seen == nil { seen = Box(point) } else { seen?.formUnion(point) }
                }
            }
            // The samples miss an extreme of the curve by less than the square of the distance
            // between two samples.
            let reach = 1e-2 * max(box.width, box.height) + 1e-9
            #expect(seen.map { box.isNear($0, within: reach) } == true, "\(spelt.absolute)")
        }
    }

    @Test("The two parts of a split path have the length and the points of the path")
    func splitting() throws {
        try forEachPath("splitting", seed: 20_261_125) { path, spelt, random in
            let whole = MeasuredPath(path)
            guard whole.length > 0 else { return }
            let middle = Double(1 + random.below(999)) / 1000
            let early = MeasuredPath(whole.path(from: 0, to: middle))
            let late = MeasuredPath(whole.path(from: middle, to: 1))
            let (size, tolerance) = (whole.length, 2e-9 * whole.length)
            #expect(early.length.isNear(size * middle, within: tolerance), "\(spelt.absolute)")
            #expect((early.length + late.length).isNear(size, within: tolerance))
            for step in 1...9 {
                let part = Double(step) / 10
                for (piece, fraction) in [
                    (early, part * middle), (late, middle + part * (1 - middle)),
                ] {
                    // At the boundary of two sub-paths, rounding decides which of them contains the
                    // point.
                    guard
                        let before = whole.point(at: fraction - 1e-9),
                        let after = whole.point(at: fraction + 1e-9),
                        before.isNear(after, within: 1e-6),
                        let point = piece.point(at: part), let wanted = whole.point(at: fraction)
                    else { continue }
                    #expect(
                        point.isNear(wanted, within: tolerance), "\(spelt.absolute) \(fraction)")
                }
            }
        }
    }

    @Test("A point at a fraction lies at that fraction of the length")
    func fractions() throws {
        try forEachPath("fractions", seed: 20_261_126) { path, spelt, random in
            let whole = MeasuredPath(path)
            guard whole.length > 0 else { return }
            let fraction = Double(random.below(1001)) / 1000
            let behind = MeasuredPath(whole.path(from: 0, to: fraction))
            #expect(
                behind.length.isNear(fraction * whole.length, within: 1e-9 * whole.length),
                "\(spelt.absolute) \(fraction)")
            guard fraction > 0, let end = behind.path.segments.last?.end else { return }
            let point = whole.point(at: fraction)
            #expect(point?.isNear(end, within: 1e-9 * whole.length) == true)
        }
    }

    @Test("Smoothing does not change the drawing, and the fractions of its nodes never decrease")
    func smoothing() throws {
        try forEachPath("smoothing", seed: 20_261_127) { path, spelt, _ in
            let smooth = path.smoothed(3)
            let (length, own) = (path.length, smooth.length)
            #expect(own.isNear(length, within: 1e-9 * max(length, 1)), "\(spelt.absolute)")
            let fractions = path.nodeFractions(smoothing: 3)
            #expect(fractions.count == smooth.segments.count)
            #expect(zip(fractions, fractions.dropFirst()).allSatisfy { $0 <= $1 })
            #expect(fractions.first == 0 && fractions.allSatisfy { $0 >= 0 && $0 <= 1 })
            if let box = path.bounds, let other = smooth.bounds {
                #expect(box.isNear(other, within: 1e-9))
            }
        }
    }

    @Test("No text causes a trap or NaN")
    func anything() throws {
        var random = SeededGenerator("paths: anything", seed: 20_261_128)
        let tokens = [
            "M", "m", "L", "h", "V", "C", "s", "Q", "t", "A", "a", "z", "Z", " ", ",", "0", "1",
            "-1", ".5", "1e3", "1e12", "-1e12", "1e-300", "1e-320", "7", "1e999", "0 0", "9 9",
            "1 0", "é", "e", "-",
        ]
        var read = 0
        for _ in 0..<20_000 {
            var text = random.chance(90) ? "M0 0" : ""
            for _ in 0..<random.below(24) { text += tokens[random.below(tokens.count)] + " " }
            guard let path = try? SVGPath(parsing: text) else { continue }
            read += 1
            let fitted = path.fitted(into: Box(minX: 0, minY: 0, maxX: 50, maxY: 50))
            for path in [path, fitted] {
                #expect(path.length.isFinite, "\(text)")
                let middle = path.point(at: 0.37) ?? .zero
                #expect(middle.x.isFinite && middle.y.isFinite, "\(text)")
                let box = path.bounds ?? Box(.zero)
                #expect(box.width.isFinite && box.height.isFinite, "\(text)")
                #expect(path.path(from: 0.2, to: 0.7).length.isFinite, "\(text)")
            }
        }
        #expect(read > 500, "\(read)")
    }
}
