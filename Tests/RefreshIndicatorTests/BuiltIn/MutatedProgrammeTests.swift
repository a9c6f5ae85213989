import Foundation
import RefreshProtocol
import Testing
import Workbench

@testable import RefreshIndicator

/// Files with mistakes in an indicator: each is refused or can be played.
@Suite("Mutated programmes", .ownThread)
struct MutatedProgrammeTests {
    private static let replacements: [JSONValue] = [
        .null, .bool(true), .number(0), .number(-1), .number(0.5), .number(1e-300),
        .number(10_000), .number(60_000), .number(1e300), .string(""), .string("*"),
        .string("M0 0L1 1"), .string("#123456"), .string("hold"), .string("@none"),
        .array([]), .object([]),
    ]

    private static func sources() throws -> [JSONValue] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/indicators")
        let text = try String(contentsOf: folder.appending(path: "valid.json"), encoding: .utf8)
        let cases = try JSONValue(parsing: text).array ?? []
        return cases.compactMap { $0["indicator"] }
            + BuiltInIndicator.allCases.map(\.programme.json)
    }

    /// Returns `value` with one value in it replaced, scaled, removed or duplicated.
    private func mutated(_ value: JSONValue, _ random: inout SeededGenerator) -> JSONValue {
        switch value {
        case .object(var members) where !members.isEmpty && random.chance(85):
            let index = random.below(members.count)
            if random.chance(5) {
                members.remove(at: index)
            } else {
                members[index].value = mutated(members[index].value, &random)
            }
            return .object(members)
        case .array(var elements) where !elements.isEmpty && random.chance(85):
            let index = random.below(elements.count)
            switch random.below(12) {
            case 0: elements.remove(at: index)
            case 1: elements.append(elements[index])
            default: elements[index] = mutated(elements[index], &random)
            }
            return .array(elements)
        case .number(let number) where random.chance(80):
            return .number(number * Double(random.below(33) - 2) / 20)
        default: return Self.replacements[random.below(Self.replacements.count)]
        }
    }

    @Test("A file with mistakes is refused, or its programme can be drawn at any time")
    func mutations() throws {
        let sources = try Self.sources()
        var random = SeededGenerator("mutated programmes", seed: 45)
        var accepted = 0
        for _ in 0..<3000 {
            var json = sources[random.below(sources.count)]
            for _ in 0...random.below(2) { json = mutated(json, &random) }
            guard let programme = try? Programme(file: json) else { continue }
            accepted += 1
            #expect(try Programme(json: programme.json).json == programme.json, "\(json.text)")
            play(programme, json, &random)
        }
        #expect(accepted > 300 && accepted < 2500)
    }

    private func play(
        _ programme: Programme, _ json: JSONValue, _ random: inout SeededGenerator
    ) {
        var staged = StagedIndicator(programme, role: random.chance(50) ? .refresh : .loadMore)
        var now = 0.0
        var isFinite = true
        for _ in 0..<12 {
            now += Double(random.below(100_000)) / 7
            staged.look(at: now)
            if random.chance(50) {
                staged.pull(Double(random.below(12_000)) / 1000)
            } else {
                let state = EdgeState.allCases[random.below(EdgeState.allCases.count)]
                staged.show(state, at: now, result: random.chance(30) ? .failed : nil)
            }
            isFinite = isFinite && staged.player.values.allSatisfy { $0.isFinite }
        }
        #expect(isFinite, "\(json.text)")
    }
}
