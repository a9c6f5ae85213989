import Testing
import Workbench

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// The metrics page as a strict parser reads it. Source: the text exposition format 0.0.4 of
/// Prometheus.
@Suite("Format of the metrics page")
struct MetricsFormTests {
    struct Family {
        var help = ""
        var type = ""
        var samples: [(name: String, labels: [String: String], value: Double)] = []
    }

    struct Mistake: Error {
        let line: String
    }

    /// Returns the families with their names, in the order in which the page lists them.
    static func parse(_ text: String) throws -> [(name: String, family: Family)] {
        guard text.hasSuffix("\n") else { throw Mistake(line: "the last line has no line end") }
        var families: [(name: String, family: Family)] = []
        for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("# HELP ") {
                let parts = line.split(separator: " ", maxSplits: 3)
                guard parts.count == 4, !families.contains(where: { $0.name == parts[2] }) else {
                    throw Mistake(line: String(line))
                }
                families.append((String(parts[2]), Family(help: String(parts[3]))))
            } else if line.hasPrefix("# TYPE ") {
                let parts = line.split(separator: " ")
                guard parts.count == 4, let last = families.last, last.name == parts[2],
                    last.family.type.isEmpty, last.family.samples.isEmpty,
                    ["counter", "gauge", "histogram"].contains(parts[3])
                else { throw Mistake(line: String(line)) }
                families[families.count - 1].family.type = String(parts[3])
            } else {
                guard var last = families.popLast(), !last.family.type.isEmpty else {
                    throw Mistake(line: String(line))
                }
                last.family.samples.append(try sample(line, of: last.name, last.family.type))
                families.append(last)
            }
        }
        return families
    }

    private static func sample(
        _ line: Substring, of family: String, _ type: String
    ) throws -> (name: String, labels: [String: String], value: Double) {
        var rest = line
        let name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        rest = rest.dropFirst(name.count)
        let suffixes = type == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
        guard suffixes.contains(where: { family + $0 == name }) else {
            throw Mistake(line: String(line))
        }
        var labels: [String: String] = [:]
        if rest.first == "{" {
            repeat {
                rest = rest.dropFirst()
                let label = rest.prefix { $0.isLetter || $0 == "_" }
                rest = rest.dropFirst(label.count)
                guard !label.isEmpty, rest.hasPrefix("=\"") else {
                    throw Mistake(line: String(line))
                }
                rest = rest.dropFirst(2)
                let value = try quoted(&rest, line)
                guard labels.updateValue(value, forKey: String(label)) == nil else {
                    throw Mistake(line: String(line))
                }
            } while rest.first == ","
            guard rest.first == "}" else { throw Mistake(line: String(line)) }
            rest = rest.dropFirst()
        }
        guard rest.first == " ", let value = Double(rest.dropFirst()) else {
            throw Mistake(line: String(line))
        }
        return (String(name), labels, value)
    }

    /// Returns the text up to the closing quote, and advances past the quote.
    private static func quoted(_ rest: inout Substring, _ line: Substring) throws -> String {
        var value = ""
        while let next = rest.popFirst() {
            switch next {
            case "\"": return value
            case "\\":
                switch rest.popFirst() {
                case "n": value += "\n"
                case "\\": value += "\\"
                case "\"": value += "\""
                default: throw Mistake(line: String(line))
                }
            default: value.append(next)
            }
        }
        throw Mistake(line: String(line))
    }

    /// Returns a page on which every row that can have a value has one.
    static func page() -> String {
        let hostile = MeasuredFeed(name: "a\"b\\c\nd", kind: "http", backend: "shared\"\n")
        let loop = LoopMetrics(feeds: MetricsTests.feeds + [hostile])
        loop.sessions.loads.recordStart(feed: hostile.name)
        loop.sessions.loads.recordDuration(microseconds: 1_500, feed: hostile.name)
        loop.sessions.loads.recordDuration(microseconds: 90_000_000, feed: hostile.name)
        loop.sessions.recordQueueAge(microseconds: 700)
        loop.sessions.recordUpdateLatency(microseconds: 20, count: 16)
        loop.sessions.recordCoalescedUpdate()
        loop.sessions.recordCoalescedSample()
        let backend = MeasuredBackend(name: "shared\"\n", kind: .http)
        backend.durations.add(microseconds: 3000)
        return MetricsPage(
            loops: [loop.snapshot, LoopMetrics(feeds: MetricsTests.feeds + [hostile]).snapshot],
            backends: [backend], usage: .now, watchers: 3, startSeconds: 1.25
        ).text
    }

    @Test("A strict parser accepts the page, whatever the names of feeds and backends")
    func strict() throws {
        let families = try Self.parse(Self.page())
        #expect(families.count > 40)
        for (name, family) in families {
            #expect(!family.help.isEmpty && !family.type.isEmpty, "\(name)")
            #expect((family.type == "counter") == (name.hasSuffix("_total")), "\(name)")
            let series = family.samples.map { "\($0.name) \($0.labels.sorted { $0.key < $1.key })" }
            #expect(Set(series).count == series.count, "\(name)")
        }
        let times = try #require(families.first { $0.name == "refreshd_time_to_items_seconds" })
        let labels = Set(times.family.samples.compactMap { $0.labels["backend"] })
        #expect(labels == ["packages", "a\"b", "shared\"\n"])
    }

    @Test("The buckets of a histogram ascend, and the last one equals the count")
    func histograms() throws {
        for (name, family) in try Self.parse(Self.page()) where family.type == "histogram" {
            let rows = Dictionary(grouping: family.samples) { sample in
                sample.labels.filter { $0.key != "le" }
            }
            for (labels, samples) in rows {
                let buckets = samples.filter { $0.name == name + "_bucket" }
                let bounds = buckets.map { $0.labels["le"] ?? "" }
                #expect(bounds.last == "+Inf", "\(name) \(labels)")
                let numbers = bounds.dropLast().compactMap(Double.init)
                #expect(numbers == numbers.sorted() && numbers.count == bounds.count - 1)
                #expect(buckets.map(\.value) == buckets.map(\.value).sorted())
                #expect(samples.last { $0.name == name + "_count" }?.value == buckets.last?.value)
                #expect(samples.filter { $0.name == name + "_sum" }.count == 1)
            }
        }
    }

    @Test("operations.md names each family of the page exactly once, and no others")
    func documented() throws {
        let page = try DocumentationPage.text(of: "operations.md")
        let start = try #require(page.firstRange(of: "\n## Metrics\n"))
        let rest = page[start.upperBound...]
        let end = try #require(rest.firstRange(of: "\n## "))
        var named: [String] = []
        for line in rest[..<end.lowerBound].split(separator: "\n") where line.hasPrefix("| `") {
            let cell = line.dropFirst(2).prefix { $0 != "|" }
            let names = cell.split(separator: "`").map(String.init)
            named += names.filter { $0.hasPrefix("refreshd_") || $0.hasPrefix("process_") }
        }
        #expect(Set(named).count == named.count)
        let families = try Self.parse(Self.page()).map(\.name)
        #expect(Set(named).subtracting(families).sorted() == [])
        #expect(Set(families).subtracting(named).sorted() == [])
    }

    @Test("The metrics report the open files and the CPU time of the process")
    func usage() {
        let usage = ProcessUsage.now
        #expect((3...usage.openFilesMax).contains(usage.openFiles))
        #expect(usage.cpuMicroseconds > 0)
    }

    @Test("The durations that the loops have measured are added up")
    func sums() {
        let loops = [
            LoopMetrics(feeds: MetricsTests.feeds), LoopMetrics(feeds: MetricsTests.feeds),
        ]
        for loop in loops {
            loop.sessions.recordQueueAge(microseconds: 1000)
            loop.sessions.recordQueueAge(microseconds: 1001)
            loop.sessions.loads.recordDuration(microseconds: 60_000_001, feed: "packages")
            loop.sessions.loads.recordDuration(microseconds: 5, feed: "unannounced")
        }
        var sum = loops[0].snapshot
        sum += loops[1].snapshot
        #expect(sum.sessions.queueAges.counts[0] == 2)
        #expect(sum.sessions.queueAges.counts[1] == 2)
        #expect(sum.sessions.queueAges.sumMicroseconds == 4002)
        #expect(sum.sessions.loadDurations.map(\.backend) == ["packages", "a\"b"])
        #expect(sum.sessions.loadDurations[0].durations.counts.last == 2)
        #expect(sum.sessions.loadDurations[1].durations.counts.allSatisfy { $0 == 0 })
    }

    @Test("After a reload, an added backend is measured, and the numbers of a removed one remain")
    func reloaded() {
        let loops = [
            LoopMetrics(feeds: MetricsTests.feeds), LoopMetrics(feeds: MetricsTests.feeds),
        ]
        loops[0].sessions.loads.recordDuration(microseconds: 5, feed: "packages")
        let songs = MeasuredFeed(name: "songs", kind: "http", backend: "library")
        // The loops apply the change one after the other.
        loops[1].sessions.loads.update(feeds: [songs])
        loops[1].sessions.loads.recordDuration(microseconds: 7, feed: "songs")
        loops[0].sessions.loads.recordDuration(microseconds: 9, feed: "packages")
        var sum = loops[0].snapshot
        sum += loops[1].snapshot
        #expect(sum.sessions.loadDurations.map(\.backend) == ["packages", "a\"b", "library"])
        #expect(sum.sessions.loadDurations.map(\.durations.sumMicroseconds) == [14, 0, 7])
        let page = MetricsPage(loops: loops.map(\.snapshot), startSeconds: 0).text
        #expect(page.contains(#"refreshd_time_to_items_seconds_count{backend="library"} 1"#))
    }
}
