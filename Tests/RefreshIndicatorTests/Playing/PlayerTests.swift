import RefreshIndicator
import RefreshProtocol
import Testing

@Suite("A player")
struct PlayerTests {
    /// A ring that the pull draws. It turns during a refresh and shrinks at the end.
    private static func ring(ending: String = "atOnce", states: String = "{}") -> String {
        """
        {"layers":[{"name":"ring","path":"M0 0H10","strokeWidth":1,"strokeEnd":0}],
         "pull":{"tracks":{"ring":{"strokeEnd":[[0,0],[1,1]],"y":[[0,0],[1,10],[2,15]]}}},
         "run":{"duration":1000,"step":250,"tracks":{"ring":{"rotation":[[0,0],[1000,4]]}}},
         "finish":{"ending":"\(ending)",
            "success":{"duration":200,"tracks":{"ring":{"scale":[[0,1],[200,0]]}}},
            "failure":{"duration":400,"tracks":{"ring":{"x":[[0,0],[400,8]]}}}},
         "states":\(states)}
        """
    }

    @Test("At rest, a property has its value at a pull of 0, or the layer's if it has no track")
    func rest() throws {
        var stage = try Stage(Self.ring())
        #expect(stage.value(.strokeEnd, at: 0) == 0)
        #expect(stage.value(.opacity, at: 0) == 1)
        #expect(stage.player.nextChange(after: 0) == nil)
    }

    @Test("Each pull has its own look, also beyond the threshold, up to a track's last key")
    func pull() throws {
        var stage = try Stage(Self.ring())
        for (pull, stroke, y) in [(0.5, 0.5, 5.0), (1, 1, 10), (1.5, 1, 12.5), (3, 1, 15)] {
            stage.show(pull < 1 ? .pulling : .eligible, pull: pull, at: 10)
            #expect(stage.value(.strokeEnd, at: 10) == stroke)
            #expect(stage.value(.y, at: 10) == y)
        }
        #expect(stage.player.nextChange(after: 10) == nil)
    }

    @Test("The run repeats. A property that the run does not move has the value of a pull of 1")
    func run() throws {
        var stage = try Stage(Self.ring())
        stage.show(.refreshing, at: 100)
        for (time, rotation) in [(100.0, 0.0), (600, 2), (1099, 3.996), (1100, 0), (2350, 1)] {
            #expect(stage.value(.rotation, at: time) == rotation, "at \(time)")
            #expect(stage.value(.strokeEnd, at: time) == 1)
            #expect(stage.value(.y, at: time) == 10)
        }
        #expect(stage.player.nextChange(after: 2350) == 2350)
    }

    @Test(
        "A run ends at the instant that `ending` selects",
        arguments: [("atOnce", 1620.0), ("atStep", 1850), ("atCycle", 2100)])
    func endings(_ ending: String, _ end: Double) throws {
        var stage = try Stage(Self.ring(ending: ending))
        stage.show(.refreshing, at: 100)
        stage.show(.idle, result: .success, at: 1620)
        #expect(stage.value(.scale, at: end) == 1)
        #expect(stage.value(.scale, at: end + 100) == 0.5)
        #expect(stage.value(.strokeEnd, at: end + 100) == 1)
        // After its finish, the indicator is shown at rest.
        #expect(stage.value(.strokeEnd, at: end + 200) == 0)
        #expect(stage.value(.scale, at: end + 200) == 1)
        #expect(stage.player.nextChange(after: end + 200) == nil)
    }

    @Test("A run with the ending atRelease continues while the edge is finishing")
    func endingAtRelease() throws {
        var stage = try Stage(Self.ring(ending: "atRelease"))
        stage.show(.refreshing, at: 0)
        stage.show(.finishing, result: .success, at: 500)
        #expect(stage.value(.rotation, at: 750) == 3)
        stage.show(.idle, at: 800)
        #expect(stage.value(.scale, at: 900) == 0.5)
    }

    @Test("If a refresh ends exactly at the end of a step, the run ends at once")
    func endOnTime() throws {
        var stage = try Stage(Self.ring(ending: "atStep"))
        stage.show(.refreshing, at: 0)
        stage.show(.idle, at: 500)
        #expect(stage.value(.scale, at: 600) == 0.5)
    }

    @Test("A failure has its own finish, and a timeout counts as a failure")
    func failure() throws {
        for result in [LoadResult.failed, .timedOut] {
            var stage = try Stage(Self.ring())
            stage.show(.refreshing, at: 0)
            stage.show(.failed, result: result, at: 100)
            #expect(stage.value(.x, at: 300) == 4)
            // The look at the end of the finish remains while the failure is shown.
            #expect(stage.value(.x, at: 5000) == 8)
            stage.show(.idle, at: 6000)
            #expect(stage.value(.x, at: 6000) == 0)
        }
    }

    @Test("During a finish, a property that the finish does not move has its value from the run")
    func held() throws {
        var stage = try Stage(Self.ring())
        stage.show(.refreshing, at: 0)
        stage.show(.idle, result: .success, at: 500)
        #expect(stage.value(.rotation, at: 600) == 2)
    }

    @Test(
        "A run that has not yet ended does not delay the display of the next state",
        arguments: [EdgeState.pulling, .eligible, .refreshing, .triggered, .disabled])
    func neverDelays(_ next: EdgeState) throws {
        for ending in ["atStep", "atCycle"] {
            var stage = try Stage(Self.ring(ending: ending))
            stage.show(.refreshing, at: 0)
            stage.show(.idle, result: .success, at: 100)
            #expect(stage.player.shown == .refreshing)
            stage.show(next, pull: 0.5, at: 120)
            #expect(stage.player.shown == next)
            let stroke: Double =
                switch next {
                case .pulling, .eligible: 0.5
                case .refreshing: 1
                default: 0
                }
            #expect(stage.value(.strokeEnd, at: 120) == stroke)
            #expect(stage.value(.scale, at: 10_000) == 1)
        }
    }

    @Test("A refresh that begins before the previous run has ended continues that run")
    func again() throws {
        var stage = try Stage(Self.ring(ending: "atCycle"))
        stage.show(.refreshing, at: 0)
        stage.show(.idle, at: 100)
        stage.show(.refreshing, at: 150)
        #expect(stage.value(.rotation, at: 250) == 1)
        #expect(stage.value(.rotation, at: 1250) == 1)
    }

    @Test("The failure of an earlier refresh is not shown after the next refresh")
    func staleFailure() throws {
        for ending in ["atStep", "atCycle", "atRelease"] {
            var stage = try Stage(Self.ring(ending: ending))
            stage.show(.refreshing, at: 0)
            stage.show(.finishing, result: .failed, at: 100)
            stage.show(.refreshing, at: 150)
            stage.show(.idle, at: 1000)
            #expect(stage.value(.x, at: 1100) == 0)
            #expect(stage.value(.scale, at: 1100) == 0.5)
        }
    }

    @Test("If the result is received before the next state, the finish of that result is played")
    func earlyFailure() throws {
        var stage = try Stage(Self.ring())
        stage.show(.refreshing, at: 0)
        stage.show(.refreshing, result: .failed, at: 100)
        stage.show(.idle, at: 200)
        #expect(stage.value(.x, at: 400) == 4)
    }

    @Test("During its finish, a failed load-more edge is shown in the state `failed`")
    func failedLoadMore() throws {
        var stage = try Stage(Self.ring(), role: .loadMore)
        stage.show(.loading, at: 0)
        stage.show(.failed, result: .failed, at: 100)
        #expect(stage.player.shown == .failed)
    }

    @Test("The settings of a state apply after a transition from the current look")
    func transitions() throws {
        var stage = try Stage(
            Self.ring(
                states: """
                    {"eligible":{"set":{"ring":{"scale":1.5}},"enter":[{"duration":100}],
                     "exit":[{"duration":200,"properties":["scale"]}]}}
                    """))
        stage.show(.pulling, pull: 0.9, at: 0)
        stage.show(.eligible, pull: 1, at: 1000)
        #expect(stage.value(.scale, at: 1000) == 1)
        #expect(stage.value(.scale, at: 1050) == 1.25)
        #expect(stage.value(.strokeEnd, at: 1050) == 0.95)
        #expect(stage.value(.scale, at: 1100) == 1.5)
        #expect(stage.player.nextChange(after: 1100) == nil)
        // The state is left during its transition. The next transition begins from the current look
        // and animates only the scale.
        stage.show(.pulling, pull: 0.5, at: 2000)
        #expect(stage.value(.scale, at: 2100) == 1.25)
        #expect(stage.value(.strokeEnd, at: 2000) == 0.5)
        stage.show(.eligible, pull: 1, at: 2100)
        #expect(stage.value(.scale, at: 2150) == 1.375)
    }

    @Test("After a finish, a failed load-more edge is shown at rest, unlike a failed refresh edge")
    func roles() throws {
        var stage = try Stage(Self.ring(), role: .loadMore)
        stage.show(.loading, at: 0)
        stage.show(.failed, result: .failed, at: 100)
        #expect(stage.value(.x, at: 300) == 4)
        #expect(stage.value(.x, at: 500) == 0)
        #expect(stage.player.shown == .failed)
    }

    @Test("With reduced motion nothing moves, and neither run nor finish is played")
    func reducedMotion() throws {
        var stage = try Stage(Self.ring(), motion: .reduced)
        #expect(stage.value(.y, at: 0) == 10)
        stage.show(.pulling, pull: 0.5, at: 10)
        #expect(stage.value(.y, at: 10) == 10)
        #expect(stage.value(.strokeEnd, at: 10) == 0.5)
        stage.show(.refreshing, at: 20)
        #expect(stage.value(.rotation, at: 500) == 0)
        #expect(stage.player.nextChange(after: 500) == nil)
        stage.show(.idle, result: .success, at: 600)
        #expect(stage.value(.scale, at: 700) == 1)
        #expect(stage.value(.strokeEnd, at: 700) == 0)
    }

    @Test("The look does not depend on how often the player is called")
    func sampling() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var programmes = RandomProgramme(seed: seed)
        for index in 0..<200 {
            let programme = programmes.next()
            let showing = RandomShowing(seed: seed &+ UInt64(index))
            let often = showing.play(programme)
            let seldom = showing.play(programme, lookingOnlyAtTheEnd: true)
            #expect(often.last?.values == seldom.last?.values, "seed \(seed), programme \(index)")
        }
    }
}
