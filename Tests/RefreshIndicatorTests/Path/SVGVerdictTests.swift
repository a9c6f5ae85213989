import Testing

@testable import RefreshIndicator

/// A test for each verdict on MRefresh's paths. A verdict (SVG-n in `verdicts.json`) describes a
/// behaviour of MRefresh. If the behaviour is a defect, the test shows that the path code here does
/// not have this defect.
@Suite("Verdicts on MRefresh's paths")
struct SVGVerdictTests {
    private let frame = Box(minX: 0, minY: 0, maxX: 50, maxY: 50)

    private func path(_ text: String) throws -> SVGPath { try SVGPath(parsing: text) }

    @Test("SVG-1: Smoothing n gives 2^n pieces, not 2^(n+1)")
    func pieces() throws {
        for times in 0...4 {
            let nodes = try path("M0 0L10 0").nodeFractions(smoothing: times)
            #expect(nodes.count == 1 + 1 << times)
        }
    }

    @Test("SVG-2, B-MR-7: A first m is read as M, and further pairs after a move are lines")
    func firstMove() throws {
        #expect(try path("m10 10h80v80h-80z") == path("M10 10H90V90H10Z"))
        #expect(try path("m1 1 2 2") == path("M1 1L3 3"))
    }

    @Test("SVG-3, B-MR-8: Z draws the closing edge")
    func closing() throws {
        let square = try path("M10 10L90 10L90 90L10 90Z")
        #expect(square.length == 320)
        #expect(square.point(at: 0.875)?.isNear(.at(10, 50)) == true)
        #expect(square.segments.last == .close(from: .at(10, 90), to: .at(10, 10)))
    }

    @Test("SVG-4: Consecutive letters are separate commands, and Z has no points")
    func letters() throws {
        for text in ["M0 0h9v9zm1 1h2", "M0 0h9v9ZM1 1h2", "M0 0h9v9zM1 1h2"] {
            let path = try path(text)
            #expect(path.segments[3] == .close(from: .at(9, 9), to: .at(0, 0)))
            #expect(path.segments[4] == .move(.at(1, 1)) && path.segments.count == 6)
        }
    }

    @Test("SVG-5, B-MR-11: Each group of repeated values is a segment and is drawn")
    func repetition() throws {
        #expect(try path("M0 0l1 0 1 0 1 0").length == 3)
        #expect(try path("M0 0q1 1 2 0 1-1 2 0").drawn.count == 2)
        #expect(try path("M0 0c0 1 1 1 1 0 0-1 1-1 1 0").drawn.count == 2)
    }

    @Test("SVG-6: Further pairs after M or m are lines")
    func pairs() throws {
        #expect(try path("M0 0 3 4 6 8").length == 10)
        #expect(try path("m1 1 3 4 3 4") == path("M1 1L4 5L7 9"))
    }

    @Test("SVG-7, B-MR-12: S reflects only a cubic, T only a quadratic")
    func families() throws {
        #expect(try path("M0 0Q1 1 2 0S3 3 4 0") == path("M0 0Q1 1 2 0C2 0 3 3 4 0"))
        #expect(try path("M0 0C0 1 1 1 2 0T4 0") == path("M0 0C0 1 1 1 2 0Q2 0 4 0"))
    }

    @Test("SVG-8, SVG-9, B-MR-9: After z the pen is at the start of the sub-path")
    func afterClose() throws {
        #expect(try path("M10 10h40v40zs10 20 30 0").segments[4].start == .at(10, 10))
        for text in ["M10 10h40v40zl30 30", "M10 10h40v40z l30 30"] {
            let path = try path(text)
            #expect(path.segments[4] == .line(.at(10, 10), .at(40, 40)))
            #expect(path.smoothed(1).segments.last == .line(.at(25, 25), .at(40, 40)))
        }
    }

    @Test("SVG-10, B-MR-6: A path far from the origin is fitted into its frame")
    func minimum() throws {
        let fitted = try path("M1000 2000h100v100h-100z").fitted(into: frame)
        #expect(fitted.text == "M0 0L50 0L50 50L0 50Z")
        let square = try path("M100 200h100v100h-100z").fitted(into: frame)
        #expect(square.bounds == frame)
    }

    @Test("SVG-11: The bounding box is that of the curve, not of its control points")
    func trueBox() throws {
        let fitted = try path("M0 0Q50 200 100 0").fitted(into: frame)
        #expect(fitted.bounds?.isNear(frame) == true)
    }

    @Test("SVG-12, B-MR-10: A drawing without width and height keeps its size")
    func point() throws {
        #expect(try path("M10 10L10 10").fitted(into: frame).text == "M25 25L25 25")
        #expect(try path("M10 10h0v9").fitted(into: frame).bounds?.height == 50)
    }

    @Test("SVG-13: Arcs are drawn")
    func arcs() throws {
        #expect(try path("M10 50A40 40 0 0 1 90 50").fitted(into: frame).bounds?.width == 50)
    }

    @Test("SVG-14: An invalid text gives an error with the position of the mistake")
    func errors() {
        for (text, position) in [
            ("M10 10L20 20X5 5", 12), ("M10 10L20 20#", 12), ("M10 10L20 20 30", 15),
            ("M10 10L", 7),
        ] {
            #expect(SVGPath.error(of: text)?.position == position)
        }
    }

    @Test("SVG-15: An empty text, a single move, and numbers before any command cause no crash")
    func nothing() throws {
        #expect(try path("").fitted(into: frame).smoothed(2).segments.isEmpty)
        #expect(try path("M10 10").fitted(into: frame).smoothed(2).length == 0)
        #expect(SVGPath.error(of: "10 10L20 20")?.reason == .commandExpected)
    }

    @Test("SVG-16: At progress 1 every part is complete, however late it starts")
    func lateParts() throws {
        let line = try path("M0 0H1")
        #expect(PathPart(line, start: 1).progress(at: 1) == 1)
        #expect(PathPart(line, start: 1).progress(at: 0.999) == 0)
        #expect(PathPart(line, start: 0.3).progress(at: 0.3) == 0)
        #expect(PathPart(line, start: 0.3).progress(at: 0.65).isNear(0.5))
        #expect(PathPart(line).progress(at: -1) == 0 && PathPart(line).progress(at: 7) == 1)
        #expect(PathPart(line).progress(at: .nan) == 0)
    }

    @Test("SVG-17, B-MR-11: Even if the first part is at the origin, the others get its placement")
    func origin() throws {
        let first = try path("M0 0h100v100h-100z")
        let second = try path("M100 100h100")
        #expect(second.fitted(into: frame, like: first).text == "M50 50L100 50")
    }

    @Test(
        "SVG-18: The progress determines the number of nodes, and one node draws nothing")
    func nodes() {
        #expect(PathPart.nodes(of: 19, at: 0.5) == 9 && PathPart.nodes(of: 19, at: 1) == 19)
        #expect(PathPart.nodes(of: 19, at: 0.1) == 0 && PathPart.nodes(of: 19, at: 0.11) == 2)
        #expect(PathPart.nodes(of: 0, at: 1) == 0 && PathPart.nodes(of: 1, at: 1) == 0)
        #expect(PathPart.nodes(of: 9, at: 2) == 9 && PathPart.nodes(of: 9, at: -1) == 0)
        #expect(PathPart.nodes(of: 9, at: .nan) == 0)
    }

    @Test("SVG-19: A part is fitted on its own, or like the first part")
    func scales() throws {
        let (first, second) = (try path("M0 0h100v100"), try path("M0 0h10v10"))
        #expect(second.fitted(into: frame).bounds?.width == 50)
        #expect(second.fitted(into: frame, like: first).bounds?.width == 5)
        // The frame has an origin, and the drawing is centred, unlike in the original's first
        // version.
        let wide = try path("M0 0h100v10").fitted(
            into: Box(minX: 10, minY: 20, maxX: 60, maxY: 70))
        #expect(wide.bounds == Box(minX: 10, minY: 42.5, maxX: 60, maxY: 47.5))
    }

    @Test("SVG-20: Smoothing gives exactly the halves of De Casteljau's algorithm")
    func halving() throws {
        let path = try path("M0 0C0 8 8 8 8 0Q16 8 16 16").smoothed(1)
        #expect(
            try path == self.path("M0 0C0 4 2 6 4 6C6 6 8 4 8 0Q12 4 14 8Q16 12 16 16"))
    }

    @Test("B-MR-12: With `length` the speed is constant, and with `nodes` it is not")
    func evenSpeed() throws {
        let path = try path("M0 0H1H100")
        #expect(path.nodeFractions(smoothing: 0) == [0, 0.01, 1])
        for step in 0...10 {
            #expect(path.point(at: Double(step) / 10)?.x.isNear(Double(step) * 10) == true)
        }
    }
}
