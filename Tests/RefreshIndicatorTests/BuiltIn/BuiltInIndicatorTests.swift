import Foundation
import RefreshProtocol
import Testing
import Workbench

@testable import RefreshIndicator

/// Properties of every built-in indicator.
@Suite("Built-in indicators", .ownThread)
struct BuiltInIndicatorTests {
    @Test("Reading each indicator's JSON gives the indicator", arguments: BuiltInIndicator.allCases)
    func roundTrip(_ indicator: BuiltInIndicator) throws {
        let programme = indicator.programme
        let text = programme.json.text
        #expect(try Programme(json: JSONValue(parsing: text)) == programme)
        #expect(text.utf8.count <= ProgrammeLimits.bytes)
        try programme.checkBounds()
    }

    @Test("A file without options gives the default look", arguments: BuiltInIndicator.allCases)
    func noOptions(_ indicator: BuiltInIndicator) throws {
        #expect(try Programme(text: #"{"\#(indicator.rawValue)": {}}"#) == indicator.programme)
    }

    @Test(
        "At rest no built-in indicator is visible, so none has to be clipped",
        arguments: BuiltInIndicator.allCases)
    func rest(_ indicator: BuiltInIndicator) {
        let staged = StagedIndicator(indicator.programme)
        for layer in indicator.programme.layers {
            let isSeen =
                staged[layer.name, .opacity] > 0 && staged[layer.name, .scale] > 0
                && staged[layer.name, .strokeEnd] > staged[layer.name, .strokeStart]
            #expect(!isSeen, "\(layer.name)")
        }
    }

    @Test(
        "After random states at random times, every value of each layer can be drawn",
        arguments: BuiltInIndicator.allCases, [EdgeRole.refresh, .loadMore])
    func sanity(_ indicator: BuiltInIndicator, _ role: EdgeRole) {
        var random = SeededGenerator("\(indicator) \(role)", seed: 20)
        for _ in 0..<60 {
            var staged = StagedIndicator(
                indicator.programme, role: role, motion: random.chance(20) ? .reduced : .full)
            var now = 0.0
            for _ in 0..<80 {
                now += Double(random.below(20_000)) / 16
                let state = EdgeState.allCases[random.below(EdgeState.allCases.count)]
                let result =
                    random.chance(30) ? LoadResult.allCases.randomElement(using: &random) : nil
                if random.chance(30) {
                    staged.look(at: now)
                } else if random.chance(50) {
                    staged.look(at: now)
                    staged.pull(Double(random.below(3000)) / 1000)
                } else {
                    staged.show(state, at: now, result: result)
                }
                expectDrawable(staged)
            }
        }
    }

    private func expectDrawable(_ staged: StagedIndicator) {
        // A single expectation for all numbers, because there are very many.
        var wrong = staged.player.values.contains { !$0.isFinite } ? ["not finite"] : []
        for layer in staged.programme.layers {
            for property in [LayerProperty.opacity, .strokeStart, .strokeEnd] {
                let value = staged[layer.name, property]
                if !(-1e-12...1 + 1e-12 ~= value) { wrong.append("\(layer.name).\(property)") }
            }
            if staged[layer.name, .scale] < -1e-12 { wrong.append("\(layer.name).scale") }
            let color = staged.color(layer.name)
            for part in [color.red, color.green, color.blue] where !(-1e-9...255.001 ~= part) {
                wrong.append("\(layer.name).color")
            }
        }
        #expect(wrong.isEmpty)
    }

    @Test(
        "After a refresh with any result, each built-in indicator comes to rest",
        arguments: BuiltInIndicator.allCases, [LoadResult.success, .failed, .timedOut, .cancelled])
    func comesToRest(_ indicator: BuiltInIndicator, _ result: LoadResult) {
        var staged = StagedIndicator(indicator.programme, pulledTo: 1)
        staged.show(.refreshing, at: 0)
        staged.show(.finishing, at: 1234, result: result)
        staged.show(.idle, at: 1500)
        staged.look(at: 60_000)
        #expect(staged.player.shown == .idle)
        #expect(staged.player.values == StagedIndicator(indicator.programme).player.values)
        var player = staged.player
        #expect(player.nextChange(after: 80_000) == nil)
    }

    @Test("With reduced motion nothing moves", arguments: BuiltInIndicator.allCases)
    func reducedMotion(_ indicator: BuiltInIndicator) {
        var staged = StagedIndicator(indicator.programme, motion: .reduced)
        staged.show(.refreshing, at: 0)
        let first = staged.player.values
        staged.look(at: 777)
        #expect(staged.player.values == first)
        #expect(indicator.programme.layers.contains { staged[$0.name, .opacity] > 0.9 })
    }

    @Test("docs/indicators.md names every option of the built-in indicators")
    func documentation() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "docs/indicators.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let own = try #require(text.components(separatedBy: "## Programmes of your own").last)
        for indicator in BuiltInIndicator.allCases {
            let row = try #require(
                own.split(separator: "\n").first { $0.hasPrefix("| `\(indicator.rawValue)` |") })
            let words = row.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .filter { $0.offset % 2 == 1 }.map { String($0.element) }
            for field in indicator.fields {
                #expect(words.contains(field), "\(indicator.rawValue): \(field)")
            }
        }
    }
}
