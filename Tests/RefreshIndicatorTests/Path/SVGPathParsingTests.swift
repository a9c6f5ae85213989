import Testing

@testable import RefreshIndicator

@Suite("Reading SVG paths")
struct SVGPathParsingTests {
    /// A path text, and the absolute text of the same drawing.
    static let spellings: [(String, String)] = [
        ("M1 2L3 4", "M 1,2 L 3,4"), ("m1 2l3 4", "M1 2L4 6"),
        // H and V, single and repeated.
        ("M1 2H5V6", "M1 2L5 2L5 6"), ("M1 2h5v6h-1v-2", "M1 2L6 2L6 8L5 8L5 6"),
        ("M0 0h10 20 30v5 15", "M0 0L10 0L30 0L60 0L60 5L60 20"),
        // Further pairs of numbers are lines: absolute lines after M, and relative lines after m.
        ("M1 1 2 2 3 3", "M1 1L2 2L3 3"), ("m1 1 2 2 3 3", "M1 1L3 3L6 6"),
        ("M1 1m1 1 2 2", "M1 1M2 2L4 4"),
        // All other commands can also have several groups of numbers after one letter.
        ("M0 0l1 1 1 1", "M0 0L1 1L2 2"), ("M0 0L1 1 2 2", "M0 0L1 1L2 2"),
        ("M0 0q1 1 2 0 1 1 2 0", "M0 0Q1 1 2 0Q3 1 4 0"),
        ("M0 0c0 1 1 1 1 0 0 1 1 1 1 0", "M0 0C0 1 1 1 1 0C1 1 2 1 2 0"),
        ("M0 0a1 1 0 0 1 2 0 1 1 0 0 1 2 0", "M0 0A1 1 0 0 1 2 0A1 1 0 0 1 4 0"),
        // Smooth commands reflect the control point of a command of their own kind, repeatedly.
        ("M0 0C0 1 1 1 1 0S2-1 2 0s1 1 1 0", "M0 0C0 1 1 1 1 0C1-1 2-1 2 0C2 1 3 1 3 0"),
        ("M0 0Q1 1 2 0T4 0t2 0", "M0 0Q1 1 2 0Q3-1 4 0Q5 1 6 0"),
        ("M0 0Q1 1 2 0T4 0 6 0", "M0 0Q1 1 2 0Q3-1 4 0Q5 1 6 0"),
        // After a command of another kind, the control point is the current point.
        ("M0 0S1 1 2 0", "M0 0C0 0 1 1 2 0"), ("M0 0T2 0", "M0 0Q0 0 2 0"),
        ("M0 0C0 1 1 1 1 0L2 0S3 1 4 0", "M0 0C0 1 1 1 1 0L2 0C2 0 3 1 4 0"),
        ("M0 0C0 1 1 1 1 0M2 0s1 1 2 0", "M0 0C0 1 1 1 1 0M2 0C2 0 3 1 4 0"),
        ("M0 0Q1 1 2 0A1 1 0 0 1 2 0T4 0", "M0 0Q1 1 2 0Q2 0 4 0"),
        // After a closing edge the pen is where the sub-path began.
        ("M1 1h2v2zl5 5", "M1 1L3 1L3 3ZL6 6"), ("M1 1h2v2zs1 1 2 0", "M1 1L3 1L3 3ZC1 1 2 2 3 1"),
        ("M1 1h2v2zm1 1h1", "M1 1L3 1L3 3ZM2 2L3 2"), ("M1 1h2v2zh-1z", "M1 1L3 1L3 3ZL0 1Z"),
        // Numbers without separators, exponents, signs.
        ("M.5.5l1.5-.5-2-3e1L4.5.25 7e0-.125E1", "M0.5 0.5L2 0L0 -30L4.5 0.25L7 -1.25"),
        ("M+1+2L1e+2 1e-2", "M1 2L100 0.01"), ("M1. 2.L2.e1 3.", "M1 2L20 3"),
        ("M007 1L1 0000", "M7 1L1 0"),
        ("M1e-400 0L1 1", "M0 0L1 1"),
        // White space and commas.
        ("  M\t1\r\n2\u{0C}L 3 ,4 ", "M1 2L3 4"), ("M1,2 , 3,4L5 , 6", "M1 2L3 4L5 6"),
        ("M 1 2 Z ", "M1 2Z"), ("M1 2 Z z\n", "M1 2ZZ"),
        // Flags need no separators.
        ("M0 0a1 1 0 01.5.5", "M0 0A1 1 0 0 1 0.5 0.5"),
        ("M0 0A5 5 0 1,08 0", "M0 0A5 5 0 1 0 8 0"),
        ("M0 0a5 5 0 00-8 0 5 5 0 11 8 0", "M0 0A5 5 0 0 0 -8 0A5 5 0 1 1 0 0"),
        ("M0 0A5 5 0 1 1.5.5", "M0 0A5 5 0 1 1 0.5 0.5"),
        // An arc with a radius of 0, an arc with a negative radius, and an arc to the pen's
        // position.
        ("M0 0A0 5 0 0 1 8 0", "M0 0L8 0"), ("M0 0a5 0 30 1 1 8 1", "M0 0L8 1"),
        ("M0 0A-5-6 0 0 1 8 0", "M0 0A5 6 0 0 1 8 0"), ("M0 0A5 5 0 0 1 0 0L1 1", "M0 0L1 1"),
    ]

    @Test("Different texts of the same drawing give the same path", arguments: spellings)
    func spelling(text: String, absolute: String) throws {
        let (path, same) = (try SVGPath(parsing: text), try SVGPath(parsing: absolute))
        #expect(path == same)
        #expect(path.text == same.text)
    }

    @Test("A path has absolute coordinates, and each segment contains its start")
    func segments() throws {
        let path = try SVGPath(parsing: "m10 10h80q1 2 3 4c1 2 3 4 5 6z")
        #expect(
            path.segments == [
                .move(.at(10, 10)), .line(.at(10, 10), .at(90, 10)),
                .quadratic(.at(90, 10), .at(91, 12), .at(93, 14)),
                .cubic(.at(93, 14), .at(94, 16), .at(96, 18), .at(98, 20)),
                .close(from: .at(98, 20), to: .at(10, 10)),
            ])
    }

    @Test("Empty text is an empty drawing", arguments: ["", " ", "\n\t "])
    func empty(text: String) throws {
        let path = try SVGPath(parsing: text)
        #expect(path.segments.isEmpty && path.text.isEmpty && path.length == 0)
        #expect(path.bounds == nil && path.point(at: 0.5) == nil)
        #expect(path.nodeFractions(smoothing: 2).isEmpty)
        #expect(path.path(from: 0, to: 1) == path && path.path(from: 0.2, to: 0.4) == path)
        #expect(path.smoothed(3) == path)
        #expect(path.fitted(into: Box(minX: 0, minY: 0, maxX: 50, maxY: 50)) == path)
    }

    @Test("The text of a path has the fewest digits from which parsing gives the same path")
    func text() throws {
        let path = try SVGPath(parsing: "m.1.2c.1.1.2.1.3 0z m1e-7 0 a3 4 30 10-5 2.50q1 1 2 2")
        let text =
            "M0.1 0.2C0.2 0.30000000000000004 0.30000000000000004 0.30000000000000004 0.4 0.2Z"
            + "M0.10000010000000001 0.2A3 4 30 1 0 -4.8999999 2.7"
            + "Q-3.8999999 3.7 -2.8999999 4.7"
        #expect(path.text == text)
        #expect(try SVGPath(parsing: path.text) == path)
        #expect(try SVGPath(parsing: "M-0-0L1e-7 100").text == "M0 0L1e-07 100")
    }
}
