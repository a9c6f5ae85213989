import Testing

@testable import RefreshIndicator

@Suite("Fitting paths into frames")
struct PathFittingTests {
    private let frame = Box(minX: 100, minY: 200, maxX: 150, maxY: 240)

    @Test(
        "A drawing gets the largest size that fits, and is centred",
        arguments: [
            ("M1000 2000h100v100h-100z", Box(minX: 105, minY: 200, maxX: 145, maxY: 240)),
            ("M-7-7h10v1", Box(minX: 100, minY: 217.5, maxX: 150, maxY: 222.5)),
            ("M0 0v1000h10", Box(minX: 124.8, minY: 200, maxX: 125.2, maxY: 240)),
            // Drawings without a width, without a height, and without both.
            ("M3 3v9", Box(minX: 125, minY: 200, maxX: 125, maxY: 240)),
            ("M3 3h-9", Box(minX: 100, minY: 220, maxX: 150, maxY: 220)),
            ("M3 3z", Box(minX: 125, minY: 220, maxX: 125, maxY: 220)),
            ("M0 0A40 40 0 0 1 80 0", Box(minX: 100, minY: 207.5, maxX: 150, maxY: 232.5)),
            ("M0 0h1e-320v1e-321", nil), ("M0 0h1e12v1e-12", nil),
        ] as [(String, Box?)])
    func fit(text: String, box: Box?) throws {
        let fitted = try SVGPath(parsing: text).fitted(into: frame)
        let bounds = try #require(fitted.bounds)
        #expect(frame.covers(.at(bounds.minX, bounds.minY), within: 1e-9))
        #expect(frame.covers(.at(bounds.maxX, bounds.maxY), within: 1e-9))
        #expect(bounds.isNear(box ?? bounds, within: 1e-9), "\(bounds)")
        #expect(bounds.center.isNear(frame.center))
    }

    @Test("If another path is given as the model, a drawing is scaled and placed like that path")
    func like() throws {
        let first = try SVGPath(parsing: "M10 10h80v80h-80z")
        let second = try SVGPath(parsing: "M50 50h80")
        let small = Box(minX: 0, minY: 0, maxX: 40, maxY: 60)
        #expect(first.fitted(into: small).text == "M0 10L40 10L40 50L0 50Z")
        #expect(second.fitted(into: small, like: first).text == "M20 30L60 30")
        #expect(second.fitted(into: small).text == "M0 30L40 30")
        let nothing = try SVGPath(parsing: "M7 7")
        #expect(second.fitted(into: small, like: nothing) == second)
    }

    @Test("A fitted path has the scaled lengths and points of the original")
    func scaled() throws {
        let path = try SVGPath(parsing: "M0 0C10 90 80 -60 30 40Q9 9 8 7A20 9 10 1 1 3 4H1Z")
        let fitted = path.fitted(into: frame)
        let scale = fitted.length / path.length
        for step in 0...20 {
            let fraction = Double(step) / 20
            let (own, first) = (fitted.point(at: fraction), path.point(at: fraction))
            let start = try #require(fitted.point(at: 0))
            let wanted = try #require(first) * scale + start
            #expect(own?.isNear(wanted, within: 1e-8) == true)
        }
    }

    @Test("If the frame has no extent, the drawing collapses into the frame's centre")
    func flat() throws {
        let point = Box(minX: 5, minY: 5, maxX: 5, maxY: 5)
        for text in ["M0 0h9v9z", "M0 0h9", "M0 0z", "M0 0A4 5 6 0 1 3 3"] {
            let fitted = try SVGPath(parsing: text).fitted(into: point)
            #expect(fitted.bounds?.isNear(point) == true, "\(fitted.text)")
            #expect(fitted.length.isFinite && fitted.point(at: 0.5) != nil)
        }
    }
}
