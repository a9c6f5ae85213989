import RefreshProtocol
import Testing

@testable import RefreshIndicator

/// Tests `spinner`, which looks like UIRefreshControl, and `indicator`, which looks like the
/// indicator of IQPullToRefresh.
@Suite("Built-in wheels")
struct WheelIndicatorTests {
    private let spinner = BuiltInIndicator.spinner.programme
    private let indicator = BuiltInIndicator.indicator.programme

    private func opacities(_ staged: StagedIndicator) -> [Double] {
        staged.programme.layers.map { staged[$0.name, .opacity] }
    }

    // MARK: spinner

    @Test("The pull lights one tick after another, until all are lit at the threshold")
    func lighting() {
        for lit in 0...12 {
            let staged = StagedIndicator(spinner, pulledTo: Double(lit) / 12)
            for (index, opacity) in opacities(staged).enumerated() {
                #expect(opacity.isAbout(index < lit ? 1 : 0), "\(lit) lit, tick \(index)")
            }
        }
        let between = StagedIndicator(spinner, pulledTo: 2.25 / 12)
        #expect(opacities(between)[2].isAbout(0.25))
    }

    @Test("Beyond the threshold the spinner grows, up to a pull of 2")
    func overPull() {
        for (pull, scale) in [(0.5, 1.0), (1, 1), (1.5, 1.1), (2, 1.2), (3, 1.2)] {
            let staged = StagedIndicator(spinner, pulledTo: pull)
            for layer in spinner.layers {
                #expect(staged[layer.name, .scale].isAbout(scale), "\(pull)")
            }
        }
    }

    @Test("During a refresh the light rotates clockwise once a second")
    func chase() {
        var staged = StagedIndicator(spinner, pulledTo: 1)
        staged.show(.refreshing, at: 0)
        for step in 12..<40 {
            staged.look(at: Double(step) * 1000 / 12)
            let opacities = opacities(staged)
            let head = step % 12
            #expect(opacities[head].isAbout(1))
            for behind in 1..<11 {
                let newer = opacities[(head + 12 - behind + 1) % 12]
                #expect(opacities[(head + 12 - behind) % 12] < newer)
            }
            // Each tick is rotated clockwise from the previous one by a twelfth of a turn.
            #expect(staged["tick2", .rotation].isAbout(.pi / 6))
        }
    }

    @Test("At the end the spinner shrinks and fades from its current look")
    func shrinking() {
        var staged = StagedIndicator(spinner, pulledTo: 2)
        staged.show(.refreshing, at: 0)
        staged.look(at: 100)
        let scale = staged["tick1", .scale]
        #expect(scale > 1 && scale < 1.2)
        let before = opacities(staged)
        staged.show(.succeeded, at: 100, result: .success)
        #expect(staged["tick1", .scale] == scale)
        #expect(opacities(staged) == before)
        staged.look(at: 225)
        #expect(staged["tick1", .scale] < scale && staged["tick1", .scale] > 0)
        staged.look(at: 350)
        #expect(opacities(staged).allSatisfy { $0 == 0 })
        #expect(staged["tick1", .scale] == 0)
    }

    @Test(
        "A load-more edge can show each wheel", arguments: [BuiltInIndicator.spinner, .indicator])
    func loadMore(_ builtIn: BuiltInIndicator) {
        var staged = StagedIndicator(builtIn.programme, role: .loadMore)
        staged.show(.loading, at: 1000)
        staged.look(at: 2000)
        let first = opacities(staged)
        #expect(first.contains { $0 > 0.9 })
        staged.look(at: 2300)
        #expect(opacities(staged) != first)
        staged.show(.failed, at: 2300, result: .failed)
        staged.look(at: 3000)
        #expect(opacities(staged).allSatisfy { $0 == 0 })
    }

    @Test("A file can set ticks, size, period, growth, colour and length")
    func spinnerOptions() throws {
        let programme = try Programme(
            text: """
                {"spinner": {"size": 40, "ticks": 5, "period": 500, "overPull": 2,
                    "color": "#123456", "length": 90}}
                """)
        #expect(programme.layers.count == 5)
        #expect(programme.size == Size(width: 40, height: 40))
        #expect(programme.run?.duration == 500)
        #expect(programme.edge == [OptionSetting(.length, .number(90))])
        let staged = StagedIndicator(programme, pulledTo: 2)
        #expect(staged["tick5", .scale].isAbout(2))
        #expect(staged.color("tick5").text == "#123456")
    }

    // MARK: indicator

    @Test(
        "The opacity of `indicator` is the pull. For an armed pull, it is 1, and the scale is 1.5"
    )
    func alpha() {
        let whole = opacities(StagedIndicator(indicator, pulledTo: 1))
        #expect(whole.first == 1)
        for pull in [0.1, 0.5, 0.9] {
            let staged = StagedIndicator(indicator, pulledTo: pull)
            for (opacity, full) in zip(opacities(staged), whole) {
                #expect(opacity.isAbout(full * pull))
            }
            #expect(staged["tick1", .scale] == 1)
        }
        #expect(StagedIndicator(indicator, pulledTo: 1)["tick8", .scale] == 1.5)
    }

    @Test("An armed pull is fully visible even below the threshold")
    func hysteresis() {
        var staged = StagedIndicator(indicator, pulledTo: 1)
        let whole = opacities(staged)
        var player = staged.player
        player.show(.eligible, pull: 0.9, result: nil, at: 20_000)
        player.advance(to: 20_000)
        #expect(player.values == staged.player.values)
        staged.look(at: 10_000)
        #expect(opacities(staged) == whole)
    }

    @Test("`indicator` grows to the size of an armed pull in 0.1 s, and shrinks back")
    func growing() {
        var staged = StagedIndicator(indicator, pulledTo: 0.9)
        staged.pull(1)
        #expect(staged["tick1", .scale] == 1)
        // The growth starts slowly, like UIKit's animations.
        staged.look(at: 25)
        #expect(staged["tick1", .scale] > 1 && staged["tick1", .scale] < 1.1)
        staged.look(at: 50)
        #expect(staged["tick1", .scale].isAbout(1.25))
        staged.look(at: 100)
        #expect(staged["tick1", .scale].isAbout(1.5))
        staged.pull(0.9)
        staged.look(at: 150)
        #expect(staged["tick1", .scale].isAbout(1.25))
        // The change begins from the current look, not from the final one.
        staged.pull(1)
        #expect(staged["tick1", .scale].isAbout(1.25))
        staged.look(at: 250)
        #expect(staged["tick1", .scale].isAbout(1.5))
    }

    @Test("`indicator` turns by pi in 2 s, ease-out. The scale becomes 1, and the light rotates")
    func refreshing() {
        var staged = StagedIndicator(indicator, pulledTo: 1)
        staged.show(.refreshing, at: 0)
        #expect(opacities(staged).first == 1)
        for time in [0.0, 500, 1000, 1500, 2000, 9000] {
            staged.look(at: time)
            let way = Easing.easeOut.value(at: time / 2000)
            #expect(staged["tick1", .rotation].isAbout(way * .pi), "\(time)")
            #expect(staged["tick3", .rotation].isAbout(.pi / 2 + way * .pi), "\(time)")
            #expect(staged["tick1", .scale].isAbout(1.5 - 0.5 * way), "\(time)")
        }
        #expect(staged["tick1", .opacity].isAbout(1))
        staged.look(at: 9250)
        #expect(staged["tick3", .opacity].isAbout(1))
    }

    @Test("At the end `indicator` is invisible and upright after 0.2 s")
    func leaving() {
        var staged = StagedIndicator(indicator, pulledTo: 1)
        staged.show(.refreshing, at: 0)
        staged.show(.idle, at: 3000, result: .failed)
        staged.look(at: 3100)
        #expect(staged["tick1", .rotation].isAbout(.pi / 2))
        #expect(staged["tick1", .opacity].isAbout(0.5))
        staged.look(at: 3200)
        #expect(opacities(staged).allSatisfy { $0 == 0 })
        #expect(staged["tick1", .rotation] == 0)
        #expect(staged["tick1", .scale] == 1)
    }

    @Test("A file can set size, growth, colour and length")
    func indicatorOptions() throws {
        let programme = try Programme(
            text: """
                {"indicator": {"size": 30, "eligibleScale": 2, "color": "#fedcba", "length": 70}}
                """)
        #expect(programme.size == Size(width: 30, height: 30))
        #expect(programme.edge == [OptionSetting(.length, .number(70))])
        let staged = StagedIndicator(programme, pulledTo: 1)
        #expect(staged["tick1", .scale] == 2)
        #expect(staged.color("tick1").text == "#fedcba")
    }
}
