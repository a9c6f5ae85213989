import Foundation
import Testing

@testable import RefreshIndicator

@Suite("Elliptical arcs")
struct EllipticalArcTests {
    private func arc(_ text: String) throws -> EllipticalArc {
        guard case .arc(let arc)? = try SVGPath(parsing: text).segments.last else {
            throw SVGPathError(position: 0, reason: .flagExpected)
        }
        return arc
    }

    @Test(
        "The flags choose one of the four arcs between two points",
        arguments: [
            ("0 0", Point.at(5, 10 - 75.0.squareRoot()), Double.pi / 3),
            ("0 1", Point.at(5, 75.0.squareRoot() - 10), Double.pi / 3),
            ("1 0", Point.at(5, 75.0.squareRoot() + 10), 5 * Double.pi / 3),
            ("1 1", Point.at(5, -75.0.squareRoot() - 10), 5 * Double.pi / 3),
        ])
    func flags(flags: String, middle: Point, angle: Double) throws {
        let arc = try arc("M0 0A10 10 0 \(flags) 10 0")
        #expect(arc.sweepAngle.magnitude.isNear(angle, within: 1e-14))
        #expect((arc.sweepAngle > 0) == flags.hasSuffix("1"))
        #expect(arc.point(at: 0.5).isNear(middle, within: 1e-13))
    }

    @Test("A half circle has the correct length, extents and points")
    func halfCircle() throws {
        let path = try SVGPath(parsing: "M10 50A40 40 0 0 1 90 50")
        #expect(path.length.isNear(40 * .pi, within: 1e-12))
        #expect(path.bounds?.isNear(Box(minX: 10, minY: 10, maxX: 90, maxY: 50)) == true)
        #expect(path.point(at: 0.5)?.isNear(.at(50, 10)) == true)
        let eighth = 40 * 0.5.squareRoot()
        #expect(path.point(at: 0.25)?.isNear(.at(50 - eighth, 50 - eighth)) == true)
    }

    @Test("An ellipse that is too small to connect the points is enlarged")
    func growth() throws {
        let arc = try arc("M0 0A1 2 0 0 1 10 0")
        #expect(arc.growth == 5 && arc.radiusX == 1)
        #expect(arc.point(at: 0.5).isNear(.at(5, -10)))
        #expect(PathSegment.arc(arc).bounds.isNear(Box(minX: 0, minY: -10, maxX: 10, maxY: 0)))
    }

    @Test("A rotated ellipse passes through its vertices, and its bounding box touches the ellipse")
    func turned() throws {
        // Half of an ellipse with the radii 20 and 10, rotated by 90 degrees to stand upright.
        let upright = try arc("M0-20A20 10 90 0 1 0 20")
        #expect(upright.point(at: 0.5).isNear(.at(10, 0)))
        #expect(
            upright.bounds.isNear(Box(minX: 0, minY: -20, maxX: 10, maxY: 20), within: 1e-12))
        // A rotation by 30 degrees, for which the extents of the whole ellipse are known.
        let whole = try SVGPath(
            parsing:
                "M17.32050807568877 10a20 10 30 01-34.64101615137754-20"
                + "a20 10 30 0134.64101615137754 20"
        )
        let (width, height) = ((300.0 + 25).squareRoot(), (100.0 + 75).squareRoot())
        let wanted = Box(minX: -width, minY: -height, maxX: width, maxY: height)
        #expect(whole.bounds?.isNear(wanted) == true, "\(String(describing: whole.bounds))")
    }

    @Test("The perimeter of an ellipse is exact for every flatness")
    func perimeter() throws {
        for height in [19.0, 10, 2, 0.5] {
            let path = try SVGPath(
                parsing: "M-20 0A20 \(height) 0 0 1 20 0A20 \(height) 0 0 1-20 0Z")
            let h = pow((20 - height) / (20 + height), 2)
            // Gauss and Kummer's series.
            var (sum, coefficient) = (1.0, 1.0)
            for n in 1...4000 {
                coefficient *= (Double(n) - 1.5) / Double(n)
                sum += coefficient * coefficient * pow(h, Double(n))
            }
            let series = .pi * (20 + height) * sum
            #expect(path.length.isNear(series, within: 1e-10 * series), "\(height)")
        }
    }

    @Test("An almost straight arc follows its chord. An arc with a tiny chord follows its circle")
    func extremes() throws {
        let straight = try arc("M0 0A1e9 1e9 0 0 1 1 0")
        for step in 0...10 {
            let point = straight.point(at: Double(step) / 10)
            #expect(point.isNear(.at(Double(step) / 10, 0), within: 1e-9))
        }
        let round = try arc("M0 0A10 10 0 1 1 1e-9 0")
        #expect(round.point(at: 0.5).isNear(.at(0, -20), within: 1e-8))
        #expect(PathSegment.arc(round).bounds.width.isNear(20))
    }

    @Test("Pieces of an arc lie on the arc, and parsing their texts gives the same pieces")
    func pieces() throws {
        let whole = try arc("M10 20A30 15 25 1 0 40 35")
        for (from, to) in [(0.0, 0.3), (0.3, 0.9), (0.9, 1), (0.1, 0.95)] {
            let piece = whole.piece(from: from, to: to)
            let text = SVGPath(segments: [.move(piece.start), .arc(piece)]).text
            let again = try arc(text)
            for step in 0...8 {
                let part = Double(step) / 8
                let point = whole.point(at: from + (to - from) * part)
                #expect(piece.point(at: part).isNear(point, within: 1e-12))
                #expect(again.point(at: part).isNear(point, within: 1e-9))
            }
        }
    }
}
