internal import RefreshProtocol
package import ScenarioKit

/// The results of the suite, for output as text or in a data format.
package struct ConformanceReport: Sendable {
    /// The name that the tested server or client gives itself.
    package let name: String
    /// The URL of the tested server, or of the grading server that the client connected to.
    package let url: String
    /// Whether a server or a client was tested.
    package let role: Role
    /// The results in the order of the cases.
    package let results: [CaseResult]

    /// What was tested: a server or a client.
    package enum Role: String, Hashable, Sendable {
        case server
        case client
    }

    /// Creates the report for a server at a URL.
    package init(url: String, survey: ServerSurvey, results: [CaseResult]) {
        name = survey.welcome["server"]?.string ?? "a server"
        self.url = url
        role = .server
        self.results = results
    }

    /// Creates the report for a client of this name, which was tested against the server at `url`.
    package init(client name: String, at url: String, results: [CaseResult]) {
        self.name = name
        self.url = url
        role = .client
        self.results = results
    }

    func count(_ verdict: CaseResult.Verdict) -> Int {
        results.count { $0.verdict == verdict }
    }

    /// Whether no case failed.
    package var isConforming: Bool { count(.failed) == 0 }

    /// The last line: the number of results for each verdict.
    package var summary: String {
        CaseResult.Verdict.allCases.map { "\(count($0)) \($0.rawValue)" }.joined(separator: ", ")
    }

    /// The features that the server or client lacks. Each has the number of cases that were skipped
    /// because the feature is missing.
    package var notOffered: [(what: String, cases: Int)] {
        var counts: [(what: String, cases: Int)] = []
        for result in results {
            guard result.verdict == .skipped, let reason = result.reason,
                reason.hasPrefix("not offered: ")
            else { continue }
            let what = String(reason.dropFirst("not offered: ".count))
            if let index = counts.firstIndex(where: { $0.what == what }) {
                counts[index].cases += 1
            } else {
                counts.append((what, 1))
            }
        }
        return counts
    }

    /// The tested groups, with their results.
    var groups: [(group: String, results: [CaseResult])] {
        results.reduce(into: []) { groups, result in
            if let index = groups.firstIndex(where: { $0.group == result.subject.group }) {
                groups[index].results.append(result)
            } else {
                groups.append((result.subject.group, [result]))
            }
        }
    }
}
