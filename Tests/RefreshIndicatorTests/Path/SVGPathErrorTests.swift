import Testing

@testable import RefreshIndicator

@Suite("Invalid SVG paths")
struct SVGPathErrorTests {
    static let wrong: [(String, Int, SVGPathError.Reason)] = [
        // The beginning of a path.
        ("L10 10", 0, .moveExpected), ("  z", 2, .moveExpected),
        ("10 10L20 20", 0, .commandExpected),
        (",M1 1", 0, .commandExpected), ("#", 0, .unknownCommand),
        // Command letters.
        ("M10 10L20 20X5 5", 12, .unknownCommand), ("M1 1L2 2#", 8, .unknownCommand),
        ("M1 1R2 2", 4, .unknownCommand), ("M1 1L2 2e", 8, .unknownCommand),
        ("M1 1L2 2é", 8, .unknownCommand), ("M1 1\u{A0}L2 2", 4, .unknownCommand),
        ("M1 1L2 2\0", 8, .unknownCommand), ("M1 1[", 4, .unknownCommand),
        ("M1 1Z2 2", 5, .commandExpected), ("M1 1Z,M2 2", 5, .commandExpected),
        // Missing numbers.
        ("M", 1, .numberExpected), ("M1", 2, .numberExpected), ("M1,", 3, .numberExpected),
        ("M1 L", 3, .numberExpected), ("M10 10L", 7, .numberExpected),
        ("M1 1L2", 6, .numberExpected), ("M1 1L2 2 3", 10, .numberExpected),
        ("M1 1L2 2 3 Z", 11, .numberExpected), ("M1 1,", 5, .numberExpected),
        ("M1 1,L2 2", 5, .numberExpected), ("M,1 1", 1, .numberExpected),
        ("M1,,1", 3, .numberExpected), ("M1 1L-", 5, .numberExpected),
        ("M1 1L.", 5, .numberExpected), ("M1 1L--1 2", 5, .numberExpected),
        ("M1 1L+-1 2", 5, .numberExpected), ("M1 1LNaN 1", 5, .numberExpected),
        ("M1 1Linf 1", 5, .numberExpected), ("M1 1L0x10 1", 6, .numberExpected),
        ("M1 1H", 5, .numberExpected), ("M1 1v", 5, .numberExpected),
        ("M1 1C1 1 2 2 3", 14, .numberExpected), ("M1 1S1 1 2", 10, .numberExpected),
        ("M1 1Q1 1 2", 10, .numberExpected), ("M1 1T", 5, .numberExpected),
        ("M1 1A5 5 0 0 1 2", 16, .numberExpected), ("M1 1A5", 6, .numberExpected),
        // Flags.
        ("M1 1A5 5 0 2 1 2 2", 11, .flagExpected), ("M1 1A5 5 0 0 -1 2 2", 13, .flagExpected),
        ("M1 1A5 5 0", 10, .flagExpected), ("M1 1A5 5 0 0.5 1 2 2", 12, .flagExpected),
        ("M1 1A5 5 0,,1 1 2 2", 11, .flagExpected),
        // Numbers that are too large, alone or in a sum.
        ("M1 1L1e999 0", 5, .numberOutOfRange), ("M1 1L0-1e400", 6, .numberOutOfRange),
        ("M1e13 1", 1, .numberOutOfRange), ("M9e11 0l9e11 0", 7, .numberOutOfRange),
        ("M9e11 0h1 9e11", 10, .numberOutOfRange), ("M0 0v-1e300", 5, .numberOutOfRange),
        ("M0 0A1e-9 1e9 0 0 1 9e9 0", 4, .numberOutOfRange),
        ("M0 0Q0-9e11 0 9e11T1 1", 18, .numberOutOfRange),
        // The position counts Unicode scalars, not bytes.
        ("M1 1L2 2 é", 9, .unknownCommand), ("M1 1😀", 4, .unknownCommand),
    ]

    @Test("An error contains the position and the reason", arguments: wrong)
    func error(text: String, position: Int, reason: SVGPathError.Reason) {
        let error = SVGPath.error(of: text)
        #expect(error == SVGPathError(position: position, reason: reason), "\(text)")
    }

    @Test("Every reason is tested, and the text of an error names the position")
    func reasons() {
        let met = Set(Self.wrong.map(\.2)).union([.tooManySegments])
        #expect(met == Set(SVGPathError.Reason.allCases))
        let error = SVGPathError(position: 7, reason: .numberExpected)
        #expect("\(error)" == "at character 7: expected a number")
    }

    @Test("A path has at most 4096 segments, and the error is at the first segment above the limit")
    func tooMany() throws {
        let most = "M0 0" + String(repeating: "L1 1", count: PathLimits.segmentsMax - 1)
        #expect(try SVGPath(parsing: most).segments.count == 4096)
        let wanted = SVGPathError(position: most.count, reason: .tooManySegments)
        #expect(SVGPath.error(of: most + "Z") == wanted)
        #expect(SVGPath.error(of: most + "L1 1").map(\.reason) == .tooManySegments)
    }

    @Test("Each prefix of a path's text is a path or has an error in the prefix, without a trap")
    func beginnings() throws {
        let text = "m1.5-2e1 3,4h5v6Hz.5"
        let whole = "M1.5.5l-2e1,3h5H1v2V1c1 2 3 4 5 6s1 2 3 4q1 2 3 4t1 2a1 2 3 011 2Z m1 1z"
        for text in [text, whole] {
            for count in 0...text.count {
                let part = String(text.prefix(count))
                guard let error = SVGPath.error(of: part) else { continue }
                #expect(error.position >= 0 && error.position <= count)
                #expect(text != whole || count < text.count, "\(part): \(error)")
            }
        }
    }
}
