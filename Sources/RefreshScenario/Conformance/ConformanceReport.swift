internal import RefreshProtocol

/// What the suite found, for people and for programs.
package struct ConformanceReport: Sendable {
    package let url: String
    package let survey: ConformanceSurvey
    /// In the order of the cases.
    package let results: [CaseResult]

    package init(url: String, survey: ConformanceSurvey, results: [CaseResult]) {
        self.url = url
        self.survey = survey
        self.results = results
    }

    func count(_ verdict: CaseResult.Verdict) -> Int {
        results.count { $0.verdict == verdict }
    }

    /// Whether the server did nothing that it must not.
    package var isConforming: Bool { count(.failed) == 0 }

    /// The last line: so many of each verdict.
    package var summary: String {
        CaseResult.Verdict.allCases.map { "\(count($0)) \($0.rawValue)" }.joined(separator: ", ")
    }

    /// What the server does not offer, and how many cases were not asked for it.
    package var notOffered: [(what: String, cases: Int)] {
        var counts: [(what: String, cases: Int)] = []
        for result in results {
            guard let reason = result.reason, reason.hasPrefix("not offered: ") else { continue }
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
    var groups: [(group: ConformanceGroup, results: [CaseResult])] {
        ConformanceGroup.allCases.compactMap { group in
            let own = results.filter { $0.subject.group == group }
            return own.isEmpty ? nil : (group, own)
        }
    }
}
