internal import RefreshProtocol
internal import ScenarioKit

extension ConformanceReport {
    /// The report as JUnit XML for continuous integration systems. Each group is a test suite.
    /// Cases that were not run are marked as skipped.
    package var junit: String {
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            #"<testsuites name="refresh-probe conform" tests="\#(results.count)" failures="\#(count(.failed))" skipped="\#(count(.skipped))">"#,
        ]
        for (group, results) in groups {
            let failed = results.count { $0.verdict == .failed }
            let skipped = results.count { $0.verdict == .skipped }
            lines.append(
                #"  <testsuite name="\#(group)" tests="\#(results.count)" failures="\#(failed)" skipped="\#(skipped)" time="\#(Self.seconds(results))">"#
            )
            for result in results { lines += junit(result) }
            lines.append("  </testsuite>")
        }
        lines.append("</testsuites>\n")
        return lines.joined(separator: "\n")
    }

    private func junit(_ result: CaseResult) -> [String] {
        let name = MarkupText.escaped("\(result.subject.id) \(result.subject.name)")
        let group = result.subject.group
        let head =
            #"    <testcase classname="conform.\#(group)" name="\#(name)" time="\#(Self.seconds([result]))""#
        let reason = MarkupText.escaped(result.reason ?? "")
        let transcript = MarkupText.escaped(
            result.transcript.flatMap(\.exchanges).map(\.description).joined(separator: "\n"))
        return switch result.verdict {
        case .passed: [head + "/>"]
        case .skipped:
            [head + ">", #"      <skipped message="\#(reason)"/>"#, "    </testcase>"]
        case .nonStrict:
            [head + ">", "      <system-out>non-strict: \(reason)</system-out>", "    </testcase>"]
        case .informational:
            [
                head + ">", "      <system-out>informational: \(reason)</system-out>",
                "    </testcase>",
            ]
        case .failed:
            [
                head + ">", #"      <failure message="\#(reason)">\#(transcript)</failure>"#,
                "    </testcase>",
            ]
        }
    }

    private static func seconds(_ results: [CaseResult]) -> String {
        JSONValue.number((results.reduce(0) { $0 + $1.durationMs }).rounded() / 1000).text
    }
}
