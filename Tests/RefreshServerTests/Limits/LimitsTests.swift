import Foundation
import RefreshProtocol
import Testing

@testable import RefreshServer

/// Every entry of `Limits` is enforced.
@Suite("Limits")
struct LimitsTests {
    private static let tests = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test("The list of enforced limits contains every limit exactly once, and nothing else")
    func complete() {
        let enforced = EnforcedLimit.all.map(\.name)
        #expect(Set(enforced).count == enforced.count)
        #expect(Set(enforced) == Set(Limits.all.map(\.name)))
    }

    @Test("For each limit, the test that checks it exists")
    func tested() throws {
        for limit in EnforcedLimit.all {
            let file = Self.tests.appendingPathComponent(limit.test.file)
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(
                text.contains("\"" + limit.test.sentence),
                "\(limit.name): no test in \(limit.test.file) begins with `\(limit.test.sentence)`")
        }
    }

    @Test(
        "An excess of each limit is counted in a metric family, which operations.md names"
    )
    func counted() throws {
        let page = MetricsPage(loops: [LoopMetrics().snapshot], startSeconds: 0).text
        let operations = try String(
            contentsOf: Self.tests.deletingLastPathComponent()
                .appendingPathComponent("docs/operations.md"), encoding: .utf8)
        for limit in EnforcedLimit.all {
            let family: String
            switch limit.outcome {
            case .fault(let code):
                family = "refreshd_faults_total"
                #expect(page.contains("\(family){code=\"\(code.rawValue)\"}"))
            case .refusal(let refusal):
                family = "refreshd_upgrades_refused_total"
                #expect(page.contains("reason=\"\(refusal)\""))
            case .connection(let refusal):
                family = "refreshd_connections_refused_total"
                #expect(page.contains("\(family){reason=\"\(refusal.rawValue)\"}"))
            case .metric(let name):
                family = name
                #expect(page.contains("# TYPE \(name) "), "\(limit.name)")
            case .advice: continue
            }
            #expect(operations.contains("`\(family)`"), "\(family)")
        }
    }

    @Test("The default of each limit lies within its range, and both ends of the range can be set")
    func ranges() {
        let defaults = Limits()
        for entry in Limits.all {
            #expect(entry.range.contains(defaults[keyPath: entry.path]), "\(entry.name)")
            var limits = defaults
            for value in [entry.range.lowerBound, entry.range.upperBound] {
                limits[keyPath: entry.path] = value
                #expect(limits[entry.name] == value)
            }
        }
    }
}
