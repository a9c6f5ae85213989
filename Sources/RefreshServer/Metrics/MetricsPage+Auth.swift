internal import RefreshConfiguration
internal import RefreshSession

/// The metrics of authentication results.
extension MetricsPage {
    func addAuth(_ auth: AuthMetrics.Snapshot, to page: inout MetricsText) {
        page.family(
            "refreshd_auth_total", .counter, "Attempts of clients to authenticate, by result.")
        for mode in AuthMode.allCases {
            for result in AdmissionVerdict.Result.allCases {
                page.sample(
                    auth[mode, result], [("mode", mode.rawValue), ("result", result.rawValue)])
            }
        }
        page.family(
            "refreshd_auth_duration_seconds", .histogram,
            "From a hello to the answer of the authentication service.")
        var cumulated = 0
        for (row, bound) in CallDurations.boundsMs.enumerated() {
            cumulated += auth.durations.counts[row]
            page.sample(
                cumulated, [("le", MetricsText.seconds(bound * 1000))], suffix: "_bucket")
        }
        cumulated += auth.durations.counts.last ?? 0
        page.sample(cumulated, [("le", "+Inf")], suffix: "_bucket")
        page.sample(
            text: MetricsText.seconds(auth.durations.sumMicroseconds), suffix: "_sum")
        page.sample(cumulated, suffix: "_count")
    }
}
