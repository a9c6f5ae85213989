import RefreshProtocol
import Testing

@testable import RefreshIndicator

/// Tests the animated letters of AppCoda's pull-to-refresh: their behaviour, and the times of the
/// original.
@Suite("Built-in letters")
struct LettersIndicatorTests {
    private let programme = BuiltInIndicator.letters.programme
    private let colors = [
        "#ff00ff", "#996633", "#ffff00", "#ff0000", "#00ff00", "#0000ff", "#ff8000",
    ]

    private func refreshing(_ programme: Programme) -> StagedIndicator {
        var staged = StagedIndicator(programme, pulledTo: 1)
        staged.show(.refreshing, at: 0)
        return staged
    }

    @Test("Letter i is lit at t = 0.15 i s, turned at t + 0.1 s, and upright again at t + 0.15 s")
    func goldenLighting() {
        var staged = refreshing(programme)
        for letter in 0..<7 {
            let (name, lit) = ("letter\(letter + 1)", "lit\(letter + 1)")
            let start = Double(letter) * 150
            if letter > 0 {
                staged.look(at: start - 0.001)
                #expect(staged[lit, .scale] == 0)
            }
            staged.look(at: start)
            #expect(staged[name, .rotation] == 0)
            #expect(staged[lit, .scale] == 1 && staged[lit, .opacity] == 1)
            #expect(staged.color(lit).text == colors[letter])
            staged.look(at: start + 50)
            #expect(staged[name, .rotation].isAbout(.pi / 8))
            staged.look(at: start + 100)
            #expect(staged[name, .rotation].isAbout(.pi / 4))
            #expect(staged[lit, .rotation].isAbout(.pi / 4))
            #expect(staged[lit, .scale] == 1 && staged[lit, .opacity] == 1)
            staged.look(at: start + 125)
            #expect(staged[name, .rotation].isAbout(.pi / 8))
            #expect(staged[lit, .scale].isAbout(0.5))
            staged.look(at: start + 150)
            #expect(staged[name, .rotation].isAbout(0))
            #expect(staged[lit, .scale] == 0)
            #expect(staged[name, .scale] == 1)
        }
    }

    @Test("All letters grow between 1.05 s and 1.40 s, shrink until 1.65 s, and then begin again")
    func goldenGrowth() {
        var staged = refreshing(programme)
        for (time, scale) in [
            (1050.0, 1.0), (1225, 1.25), (1400, 1.5), (1525, 1.25), (1650, 1), (1750, 1),
        ] {
            staged.look(at: time)
            for letter in 1...7 {
                #expect(staged["letter\(letter)", .scale].isAbout(scale), "\(time)")
            }
        }
        #expect(staged["lit1", .scale] == 1 && staged["lit1", .opacity] == 1)
    }

    @Test("Without `color`, letters that are not lit have the client's colour")
    func clientColor() throws {
        for layer in programme.layers.prefix(7) { #expect(layer.values[.color] == nil) }
        #expect(
            programme.layers.suffix(7).map { $0.values[.color] }
                == colors.map { color in
                    RGBColor(color).map { .color($0) }
                })
        for pull in [0, 0.5, 1, 1.7] {
            let staged = StagedIndicator(programme, pulledTo: pull)
            #expect(staged["lit1", .scale] == 0)
        }
        let own = try Programme(text: ##"{"letters": {"color": "#000000"}}"##)
        #expect(own.layers.count == 7)
    }

    @Test(
        "The loop ends only at the end of a cycle",
        arguments: [(4000.0, 4950.0), (100, 1650), (1650, 1650), (1651, 3300), (3300, 3300)])
    func goldenEnds(refreshEnds: Double, runEnds: Double) {
        var staged = refreshing(programme)
        staged.show(.idle, at: refreshEnds, result: .success)
        if runEnds > refreshEnds {
            staged.look(at: runEnds - 1)
            #expect(staged.player.shown == .refreshing)
            #expect(staged["letter1", .scale] > 1)
        }
        staged.look(at: runEnds)
        #expect(staged.player.shown == .finishing)
        staged.look(at: runEnds + 200)
        #expect(staged.player.shown == .idle)
        #expect(staged["letter1", .opacity] == 0)
    }

    @Test("B-AC-1: A pull and a refresh before the end of the last cycle are shown at once")
    func noDeadlock() {
        var staged = refreshing(programme)
        staged.show(.idle, at: 1700, result: .success)
        staged.look(at: 2000)
        #expect(staged.player.shown == .refreshing)
        staged.pull(0.4)
        #expect(staged.player.shown == .pulling)
        #expect(staged["letter3", .opacity].isAbout(0.4))
        staged.show(.refreshing, at: 2100)
        staged.look(at: 2200)
        #expect(staged["lit1", .scale] == 1 && staged["lit1", .opacity] == 1)
        staged.show(.idle, at: 2300, result: .success)
        staged.look(at: 2100 + 1650 + 200)
        #expect(staged.player.shown == .idle)
    }

    @Test("A refresh that begins during the last cycle of another one continues the loop")
    func refreshDuringEnd() {
        var staged = refreshing(programme)
        staged.show(.idle, at: 100, result: .success)
        staged.show(.refreshing, at: 1600)
        staged.look(at: 3000)
        #expect(staged.player.shown == .refreshing)
        staged.show(.idle, at: 3100, result: .success)
        staged.look(at: 3300)
        #expect(staged.player.shown == .finishing)
    }

    @Test(
        "B-AC-5: Any text lights up; its cycle is 0.15 s for each letter plus 0.6 s",
        arguments: ["A", "HELLO", "ÄÖÜ", "👩‍👩‍👧‍👦 ok", "ABCDEFGHIJKLMNOPQRSTUVWX"])
    func anyText(text: String) throws {
        let json = JSONValue.object([
            JSONValue.Member(
                "letters", .object([JSONValue.Member("text", .string(text))]))
        ])
        let programme = try Programme(file: json)
        #expect(
            programme.layers.map(\.content)
                == (text + text).map { .text(String($0), size: 20, font: nil) })
        #expect(programme.run?.duration == Double(text.count) * 150 + 600)
        var staged = refreshing(programme)
        for letter in 0..<text.count {
            staged.look(at: Double(letter) * 150 + 100)
            #expect(staged.color("lit\(letter + 1)").text == colors[letter % 7])
            #expect(staged["lit\(letter + 1)", .scale] == 1)
        }
        // The letters are centred, and the distance from each letter to the next is `spacing`.
        let places = (1...text.count).map { staged["letter\($0)", .x] }
        #expect(places.reduce(0, +).isAbout(0))
        #expect(zip(places.dropFirst(), places).allSatisfy { ($0 - $1).isAbout(28) })
    }

    @Test("The letters become visible with the pull")
    func pull() {
        for pull in [0, 0.25, 0.9, 1, 1.7] {
            let staged = StagedIndicator(programme, pulledTo: pull)
            #expect(staged["letter7", .opacity].isAbout(min(pull, 1)))
        }
    }

    @Test("A file can set text, colours and sizes")
    func options() throws {
        let programme = try Programme(
            text: """
                {"letters": {"text": "ab", "colors": ["#010203"], "fontSize": 12, "font": "Inter",
                    "spacing": 10, "color": "#0000ff"}}
                """)
        #expect(programme.layers[1].content == .text("b", size: 12, font: "Inter"))
        var staged = refreshing(programme)
        staged.look(at: 250)
        #expect(staged["letter2", .x].isAbout(5))
        #expect(staged.color("letter1").text == "#0000ff")
        #expect(staged.color("letter2").text == "#010203")
    }
}
