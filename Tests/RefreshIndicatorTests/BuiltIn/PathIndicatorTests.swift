import RefreshProtocol
import Testing

@testable import RefreshIndicator

/// Tests `path`, which draws like MRefresh: its behaviour, the expected numbers of MRefresh 0.1.1
/// and 0.2.1, and the defects of MRefresh that it avoids.
@Suite("Built-in path")
struct PathIndicatorTests {
    private func programme(_ options: String) throws -> Programme {
        try Programme(text: #"{"path": {\#(options)}}"#)
    }

    private func drawn(_ programme: Programme, _ pull: Double, part: Int = 1) -> Double {
        StagedIndicator(programme, pulledTo: pull)["part\(part)", .strokeEnd]
    }

    private func path(_ programme: Programme, part: Int = 1) throws -> SVGPath {
        guard case .path(let path, _, _, _) = programme.layers[part - 1].content else {
            throw ProgrammeError("", "no path")
        }
        return path
    }

    // MARK: The drawn fraction

    @Test(
        "The drawn fraction is MRefresh's, computed from its four parameters",
        arguments: [
            // From the README of 0.1.1: height 80, start 30, end 110.
            (40.0, 30.0, 30.0, 30.0, 0.0), (40, 30, 30, 70, 0.5), (40, 30, 30, 110, 1),
            (40, 30, 30, 20, 0), (40, 30, 30, 150, 1),
            // The defaults of 0.2.1: height 100, start 40, end 140.
            (60, 40, 40, 40, 0), (60, 40, 40, 90, 0.5), (60, 40, 40, 140, 1),
        ])
    func goldenProportions(
        increase: Double, start: Double, offset: Double, distance: Double, proportion: Double
    ) throws {
        let programme = try programme(
            """
            "heightIncrease": \(increase), "animationStartDistance": \(start),
            "animationEndDistanceOffset": \(offset), "contentInsetChangeAnimationDuration": 0.25
            """)
        let room = 40 + increase
        #expect(
            programme.edge == [
                OptionSetting(.length, .number(room + offset)),
                OptionSetting(.start, .number(start)), OptionSetting(.room, .number(room)),
                OptionSetting(.insetDuration, .number(250)),
            ])
        let pull = (distance - start) / (room + offset - start)
        #expect(drawn(programme, pull).isAbout(proportion))
    }

    @Test("An omitted parameter has the profile's value. A height parameter sets length and room")
    func edgeDefaults() throws {
        #expect(try programme("").edge.isEmpty)
        #expect(
            try programme(#""animationStartDistance": 20"#).edge
                == [OptionSetting(.start, .number(20))])
        #expect(
            try programme(#""heightIncrease": 40"#).edge == [
                OptionSetting(.length, .number(80)), OptionSetting(.room, .number(80)),
            ])
        #expect(
            try programme(#""animationEndDistanceOffset": 20"#).edge == [
                OptionSetting(.length, .number(60)), OptionSetting(.room, .number(40)),
            ])
    }

    // MARK: What is drawn

    @Test(
        "SVG-18: The number of drawn nodes is MRefresh's, and fewer than two nodes draw nothing",
        arguments: [(0.0, 0), (0.1, 0), (0.12, 2), (0.5, 8), (0.99, 16), (1, 17), (1.5, 17)])
    func goldenNodes(pull: Double, nodes: Int) throws {
        // The path has 17 nodes: a move, and the ends of the 2^4 pieces of the curve.
        let programme = try programme(
            #""parts": [{"path": "M0 0Q10 0 10 10"}], "drawBy": "nodes", "smoothing": 4"#)
        let fractions = try path(programme).nodeFractions(smoothing: 4)
        #expect(fractions.count == 17)
        #expect(drawn(programme, pull) == (nodes == 0 ? 0 : fractions[nodes - 1]))
    }

    @Test("With `nodes`, each pull draws exactly the nodes of MRefresh's formula")
    func nodesExactly() throws {
        var random = SeededGenerator("nodes", seed: 4)
        for _ in 0..<200 {
            let part = PathPart(
                try SVGPath(parsing: "M0 0L3 1L9 4C9 9 3 3 0 12Z"),
                start: Double(random.below(1000)) / 1000)
            let count = 2 + random.below(60)
            for nodes in 2...count {
                let pull = part.pull(drawing: nodes, of: count)
                #expect(PathPart.nodes(of: count, at: part.progress(at: pull)) >= nodes)
                guard nodes < count else { continue }
                let before = part.progress(at: pull.nextDown)
                #expect(PathPart.nodes(of: count, at: before) < nodes)
            }
        }
    }

    @Test("Each part begins at its own `start`, and all parts are complete at the same pull")
    func starts() throws {
        let programme = try programme(
            """
            "parts": [{"path": "M0 0H9"}, {"path": "M0 0V9", "start": 0.5},
                {"path": "M0 0L9 9", "start": 0.8}]
            """)
        for pull in [0.0, 0.3, 0.5, 0.6, 0.9, 1] {
            #expect(drawn(programme, pull, part: 1).isAbout(pull))
            #expect(drawn(programme, pull, part: 2).isAbout(max((pull - 0.5) / 0.5, 0)))
            #expect(drawn(programme, pull, part: 3).isAbout(max((pull - 0.8) / 0.2, 0)))
        }
    }

    @Test(
        "SVG-16: A part with the start 1 is drawn at a pull of 1", arguments: ["length", "nodes"])
    func startsAtTheEnd(drawBy: String) throws {
        let programme = try programme(
            #""parts": [{"path": "M0 0L9 9L0 9", "start": 1}], "drawBy": "\#(drawBy)""#)
        #expect(drawn(programme, 1.0.nextDown) == 0)
        #expect(drawn(programme, 1) == 1)
        #expect(drawn(programme, 1.3) == 1)
    }

    @Test("SVG-17: Even if the first part is at the origin, the other parts get its placement")
    func firstAtOrigin() throws {
        let programme = try programme(
            """
            "parts": [{"path": "M0 0H10V10H0Z"}, {"path": "M2 2H4"}], "scaleAsFirst": true
            """)
        #expect(try path(programme, part: 2) == SVGPath(parsing: "M-12 -12H-4"))
    }

    @Test("SVG-19: Each part fills the frame, centred, or all parts are scaled like the first")
    func scales() throws {
        let parts = #""parts": [{"path": "M5 5H15V10H5Z"}, {"path": "M5 5h1v1"}]"#
        let own = try programme(parts)
        #expect(try path(own).bounds == Box(minX: -20, minY: -10, maxX: 20, maxY: 10))
        #expect(
            try path(own, part: 2).bounds == Box(minX: -20, minY: -20, maxX: 20, maxY: 20))
        let shared = try programme(parts + #", "scaleAsFirst": true, "frame": [20, 20]"#)
        #expect(try path(shared).bounds == Box(minX: -10, minY: -5, maxX: 10, maxY: 5))
        #expect(
            try path(shared, part: 2).bounds == Box(minX: -10, minY: -5, maxX: -8, maxY: -3))
    }

    @Test("SVG-20: Nodes result from repeated halving of a segment", arguments: 0...6)
    func smoothing(times: Int) throws {
        let programme = try programme(
            #""parts": [{"path": "M0 0C0 9 9 9 9 0"}], "drawBy": "nodes", "smoothing": \#(times)"#)
        let whole = try path(programme)
        let nodes = 1 << times
        for piece in 1...nodes {
            let pull = Double(piece + 1) / Double(nodes + 1)
            let cut = whole.smoothed(times).segments[1...piece]
            let length = SVGPath(segments: [whole.segments[0]] + cut).length
            // `after` lies in the middle between the pulls that draw two successive nodes. Another
            // test checks these pulls themselves.
            let after = pull + 0.5 / Double(nodes + 1)
            #expect(
                drawn(programme, after).isAbout(length / whole.length, within: 1e-7),
                "piece \(piece)")
        }
    }

    @Test("B-MR-11: Every curve of a repeated command is drawn, and `heightIncrease` may be 0")
    func polyCurves() throws {
        let programme = try programme(
            #""parts": [{"path": "M0 0C1 2 3 2 4 0 5 -2 7 -2 8 0"}], "heightIncrease": 0"#)
        #expect(try path(programme).segments.count == 3)
        #expect(try path(programme).bounds?.width.isAbout(40) == true)
        #expect(
            programme.edge == [
                OptionSetting(.length, .number(40)), OptionSetting(.room, .number(40)),
            ])
    }

    @Test("B-MR-12: With `length`, equal steps of the pull draw equal lengths")
    func evenSpeed() throws {
        // The path has a short and a long segment. With `nodes`, each segment would need the same
        // change of the pull.
        let programme = try programme(#""parts": [{"path": "M0 0L1 0L40 0"}]"#)
        let path = try path(programme)
        var last = 0.0
        for step in 1...20 {
            let length = path.path(from: 0, to: drawn(programme, Double(step) / 20)).length
            #expect((length - last).isAbout(2))
            last = length
        }
    }

    // MARK: Loading and the end

    private func refreshing(_ options: String = "") throws -> StagedIndicator {
        var staged = StagedIndicator(try programme(options), pulledTo: 1)
        staged.show(.refreshing, at: 0)
        return staged
    }

    @Test("During a load, the opacity changes to 0.3 and back in 0.4 s each. A turn takes 0.4 s")
    func loading() throws {
        var staged = try refreshing()
        for (time, opacity) in [
            (0.0, 1.0), (200, 0.65), (400, 0.3), (600, 0.65), (800, 1), (1200, 0.3),
        ] {
            staged.look(at: time)
            #expect(staged["part1", .opacity].isAbout(opacity), "\(time)")
            let turns = staged["part1", .rotation] / (2 * .pi) - time / 400
            #expect(turns.isAbout(turns.rounded()), "\(time)")
            #expect(staged["part1", .strokeEnd] == 1)
        }
    }

    @Test("A file can set the movements during a load and their period")
    func loadingOptions() throws {
        var blinking = try refreshing(#""loading": ["blink"], "period": 800"#)
        blinking.look(at: 800)
        #expect(blinking["part1", .opacity].isAbout(0.3))
        #expect(blinking["part1", .rotation] == 0)
        var still = try refreshing(#""loading": []"#)
        still.look(at: 333)
        #expect(still["part1", .opacity] == 1)
        #expect(still["part1", .rotation] == 0)
    }

    @Test("At the end, the drawing shrinks for 0.1 s, and fades out during the last 0.05 s")
    func end() throws {
        var staged = try refreshing()
        staged.show(.idle, at: 800, result: .success)
        for (time, scale, opacity) in [
            (800.0, 1.0, 1.0), (825, 0.75, 1), (850, 0.5, 1), (875, 0.25, 0.5), (899, 0.01, 0.02),
        ] {
            staged.look(at: time)
            #expect(staged["part1", .scale].isAbout(scale), "\(time)")
            #expect(staged["part1", .opacity].isAbout(opacity), "\(time)")
        }
        staged.look(at: 900)
        #expect(staged["part1", .strokeEnd] == 0)
    }

    @Test("If the refresh ends in the middle of a blink, the opacity changes without a jump")
    func endOfBlink() throws {
        var staged = try refreshing()
        staged.look(at: 1200)
        staged.show(.idle, at: 1200, result: .success)
        #expect(staged["part1", .opacity].isAbout(0.3))
        staged.look(at: 1225)
        #expect(staged["part1", .opacity].isAbout(0.65))
        staged.look(at: 1275)
        #expect(staged["part1", .opacity].isAbout(0.5))
    }

    @Test("If a refresh ends under a finger, its animation continues until the release")
    func atRelease() throws {
        var staged = try refreshing()
        staged.show(.finishing, at: 400, result: .success)
        staged.look(at: 5000)
        #expect(staged.player.shown == .refreshing)
        #expect(staged["part1", .scale] == 1)
        staged.show(.idle, at: 5200)
        staged.look(at: 5250)
        #expect(staged["part1", .scale].isAbout(0.5))
    }

    @Test("The built-in arrow turns about its centre and is drawn from its tail to its head")
    func ownDrawing() throws {
        let path = try path(BuiltInIndicator.path.programme)
        let box = try #require(path.bounds)
        for side in [-box.minX, -box.minY, box.maxX, box.maxY] {
            #expect(side.isAbout(20, within: 1e-5))
        }
        let arc = try #require(path.segments.dropFirst().first)
        #expect(SVGPath(segments: Array(path.segments.prefix(2))).length > path.length * 0.8)
        guard case .arc = arc else {
            Issue.record("the segment is not an arc")
            return
        }
    }
}
