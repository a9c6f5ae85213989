import RefreshProtocol
import Testing

@testable import RefreshIndicator

/// The built-in `compass`. It behaves like the compass of Jackrabbit, the custom refresh control
/// that the profile `jackrabbit` reproduces. The expected numbers are those of that control. The
/// two halves are the compass and its needle, which slide in from both sides. The layer `ground` is
/// the coloured box behind them.
@Suite("Built-in compass")
struct CompassIndicatorTests {
    private let programme = BuiltInIndicator.compass.programme

    /// The left edges of both halves in a list that is 375 points wide, in the original's
    /// coordinates.
    private func edges(_ staged: StagedIndicator) -> (compass: Double, needle: Double) {
        (
            375 / 2 + staged["compass", .x] - 30, 375 / 2 + staged["needle", .x] - 30
        )
    }

    @Test(
        "The halves are at Jackrabbit's positions",
        arguments: [
            (0.0, 217.5, 97.5), (25, 202.5, 112.5), (50, 187.5, 127.5), (99, 158.1, 156.9),
            (99.2, 157.5, 157.5), (100, 157.5, 157.5), (250, 157.5, 157.5),
        ])
    func goldenWay(pulled: Double, compass: Double, needle: Double) {
        // The profile's length is 100 points.
        let staged = StagedIndicator(programme, pulledTo: pulled / 100)
        let edges = edges(staged)
        #expect(edges.compass.isAbout(compass))
        #expect(edges.needle.isAbout(needle))
        // The halves are in the middle of the gap between the list's edge and its content. Their
        // upper edges are therefore at half the pulled distance minus 30 points.
        #expect(programme.place == .gap)
        #expect(staged["compass", .y] == 0)
        #expect(staged["needle", .y] == 0)
    }

    @Test("The halves snap together if they are less than one point apart, but not at one point")
    func latch() {
        let fast = 1 - 1 / 120.0
        #expect(StagedIndicator(programme, pulledTo: fast)["compass", .x].isAbout(0.5))
        #expect(StagedIndicator(programme, pulledTo: fast.nextUp)["compass", .x] == 0)
        #expect(StagedIndicator(programme, pulledTo: fast.nextUp)["needle", .x] == 0)
    }

    @Test("B-JR-1: If the pull decreases, the halves separate again")
    func apartAgain() {
        var staged = StagedIndicator(programme, pulledTo: 1.2)
        #expect(staged["needle", .x] == 0)
        staged.pull(0.5)
        #expect(staged["needle", .x].isAbout(-30))
        #expect(staged["compass", .x].isAbout(30))
    }

    @Test("Each step is a quarter turn to the next colour. In the first step, the box fades in")
    func steps() {
        var staged = StagedIndicator(programme, pulledTo: 1)
        staged.show(.refreshing, at: 0)
        #expect(staged["ground", .opacity] == 0)
        staged.look(at: 150)
        #expect(staged["ground", .opacity].isAbout(0.15))
        #expect(staged["needle", .rotation].isAbout(.pi / 4))
        let colors = ["#ff0000", "#0000ff", "#800080", "#00ffff", "#ff8000", "#ff00ff"]
        for step in 1...30 {
            staged.look(at: Double(step) * 300)
            #expect(staged.color("ground").text == colors[(step - 1) % 6], "step \(step)")
            #expect(staged["ground", .opacity].isAbout(0.3))
            let turn = Double(step) * .pi / 2 - staged["needle", .rotation]
            #expect((turn / (2 * .pi)).isAbout((turn / (2 * .pi)).rounded()), "step \(step)")
        }
    }

    @Test("Within a step one colour changes gradually into the next")
    func mixing() {
        var staged = StagedIndicator(programme, pulledTo: 1)
        staged.show(.refreshing, at: 0)
        staged.look(at: 450)
        #expect(staged.color("ground") == RGBColor(127.5, 0, 127.5))
    }

    @Test("B-JR-2: Each refresh begins with the first colour")
    func firstColor() {
        var staged = StagedIndicator(programme, pulledTo: 1)
        staged.show(.refreshing, at: 0)
        staged.show(.idle, at: 700)
        staged.look(at: 5000)
        staged.show(.refreshing, at: 6000)
        staged.look(at: 6300)
        #expect(staged.color("ground").text == "#ff0000")
    }

    @Test("B-JR-3: After an odd number of quarter turns the next refresh begins upright")
    func uprightAgain() {
        var staged = StagedIndicator(programme, pulledTo: 1)
        staged.show(.refreshing, at: 0)
        staged.show(.idle, at: 100)
        staged.look(at: 299)
        #expect(staged["needle", .rotation] > 1.5)
        staged.look(at: 2000)
        #expect(staged["needle", .rotation] == 0)
        staged.show(.refreshing, at: 3000)
        #expect(staged["needle", .rotation] == 0)
        staged.look(at: 3300)
        #expect(staged["needle", .rotation].isAbout(.pi / 2))
    }

    @Test("B-JR-4: Halves of different widths meet at the threshold, and not before")
    func unequalWidths() throws {
        let programme = try Programme(
            text: #"{"compass": {"background": {"width": 80}, "needle": {"width": 30}}}"#)
        for pull in [0.0, 0.3, 0.7, 0.98] {
            let staged = StagedIndicator(programme, pulledTo: pull)
            #expect(staged["compass", .x].isAbout(80 * (1 - pull)))
            #expect(staged["needle", .x].isAbout(-30 * (1 - pull)))
        }
        let meeting = StagedIndicator(programme, pulledTo: 1)
        #expect(meeting["compass", .x] == 0)
        #expect(meeting["needle", .x] == 0)
        // The halves are 110 points apart, so the last point is 1/110 of the distance.
        let fast = 1 - 1 / 110.0
        #expect(StagedIndicator(programme, pulledTo: fast)["needle", .x] != 0)
        #expect(StagedIndicator(programme, pulledTo: fast.nextUp)["needle", .x] == 0)
    }

    @Test("B-JR-5: A needle that has turned stays at its place")
    func turnedInPlace() {
        var staged = StagedIndicator(programme, pulledTo: 1)
        staged.show(.refreshing, at: 0)
        for time in stride(from: 0.0, through: 9000, by: 37) {
            staged.look(at: time)
            for property in [LayerProperty.x, .y] {
                #expect(staged["needle", property] == 0, "\(property) at \(time)")
                #expect(staged["compass", property] == 0, "\(property) at \(time)")
            }
        }
    }

    @Test(
        "B-JR-7: In a refresh by the app's code, the halves meet and the needle turns in one step")
    func programmatic() {
        var staged = StagedIndicator(programme)
        staged.show(.refreshing, at: 0)
        #expect(staged["compass", .x].isAbout(60))
        staged.look(at: 300)
        #expect(staged["compass", .x] == 0)
        #expect(staged["needle", .rotation].isAbout(.pi / 2))
    }

    @Test("After a refresh, the current step is completed, and then the halves separate and fade")
    func exit() {
        var staged = StagedIndicator(programme, pulledTo: 1)
        staged.show(.refreshing, at: 0)
        staged.show(.finishing, at: 700, result: .success)
        staged.look(at: 899)
        #expect(staged["compass", .x] == 0)
        #expect(staged["ground", .opacity].isAbout(0.3))
        staged.look(at: 1050)
        #expect(staged["compass", .x] > 10)
        #expect(staged["needle", .x].isAbout(-staged["compass", .x]))
        #expect(staged["needle", .rotation].isAbout(3 * .pi / 2))
        let faded = staged["ground", .opacity] / 0.3
        #expect(faded > 0 && faded < 1)
        #expect(staged["compass", .opacity].isAbout(faded))
        staged.look(at: 1200)
        #expect(staged["compass", .x].isAbout(60))
        #expect(staged["needle", .opacity] == 0)
        #expect(staged["ground", .opacity] == 0)
    }

    @Test("B-JR-6: A pull before the end of the last step is shown at once")
    func pulledDuringEnd() {
        var staged = StagedIndicator(programme, pulledTo: 1)
        staged.show(.refreshing, at: 0)
        staged.show(.idle, at: 310)
        staged.look(at: 400)
        staged.pull(0.5)
        #expect(staged["compass", .x].isAbout(30))
        #expect(staged["needle", .rotation] == 0)
        #expect(staged["ground", .opacity] == 0)
    }

    @Test("`needle` and `ground` loop without a jump, for any number of colours", arguments: 1...12)
    func seamless(colors: Int) throws {
        let list = (0..<colors).map { RGBColor(Double($0), 0, 0).text }
        let text = #"{"compass": {"colors": \#(list), "step": 100}}"#
        let programme = try Programme(text: text)
        let run = try #require(programme.run)
        #expect((run.duration - run.loopFrom).truncatingRemainder(dividingBy: 400) == 0)
        var staged = StagedIndicator(programme, pulledTo: 1)
        staged.show(.refreshing, at: 0)
        staged.look(at: run.duration - 1e-6)
        let last = (staged["needle", .rotation], staged.color("ground"))
        staged.look(at: run.duration)
        let turn = (last.0 - staged["needle", .rotation]) / (2 * .pi)
        #expect(turn.isAbout(turn.rounded(), within: 1e-6))
        #expect(last.1.text == staged.color("ground").text)
    }

    @Test("Each half is a built-in drawing, a path, or an image of the client")
    func pictures() throws {
        for layer in programme.layers.dropFirst() {
            guard case .path = layer.content else {
                Issue.record("\(layer.name) is not a path")
                continue
            }
        }
        let pictured = try Programme(
            text: """
                {"compass": {"width": 50, "background": {"image": "compass_background"},
                    "needle": {"path": "M0 -9V9", "strokeWidth": 2, "width": 20}}}
                """)
        #expect(
            pictured.layers[1].content == .image("compass_background", width: 50, height: 50))
        #expect(
            pictured.layers[2].content
                == .path(
                    try SVGPath(parsing: "M0 -9V9"), stroke: 2, cap: .round, isFilled: false))
        #expect(StagedIndicator(pictured, pulledTo: 0.5)["compass", .x].isAbout(25))
        #expect(StagedIndicator(pictured, pulledTo: 0.5)["needle", .x].isAbout(-10))
    }
}
