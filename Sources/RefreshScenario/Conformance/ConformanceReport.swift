internal import RefreshProtocol

/// What the suite found, for people and for programs.
package struct ConformanceReport: Sendable {
    /// Who was asked, by its own name.
    package let name: String
    /// Where it was asked.
    package let url: String
    /// What it is.
    package let role: Role
    /// In the order of the cases.
    package let results: [CaseResult]

    /// What was asked.
    package enum Role: String, Hashable, Sendable {
        case server
        case client
    }

    /// What a server at a URL came to.
    package init(url: String, survey: ConformanceSurvey, results: [CaseResult]) {
        name = survey.welcome["server"]?.string ?? "a server"
        self.url = url
        role = .server
        self.results = results
    }

    /// What a client of that name came to, which was asked at `url`.
    package init(client name: String, at url: String, results: [CaseResult]) {
        self.name = name
        self.url = url
        role = .client
        self.results = results
    }

    func count(_ verdict: CaseResult.Verdict) -> Int {
        results.count { $0.verdict == verdict }
    }

    /// Whether it did nothing that it must not.
    package var isConforming: Bool { count(.failed) == 0 }

    /// The last line: so many of each verdict.
    package var summary: String {
        CaseResult.Verdict.allCases.map { "\(count($0)) \($0.rawValue)" }.joined(separator: ", ")
    }

    /// What it does not offer, and how many cases were not asked for it.
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

    /// Groups that were asked, with their results.
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
