internal import RefreshProtocol

/// Parts of clients' messages that were ignored without a fault.
extension MetricsPage {
    func addDiagnostics(to page: inout MetricsText) {
        page.family(
            "refreshd_diagnostics_total", .counter,
            "What clients sent and the daemon ignored without a fault, by code.")
        for code in DiagnosticCode.allCases {
            page.sample(total.count(of: code), [("code", code.rawValue)])
        }
        page.family(
            "refreshd_diagnostics_dropped_total", .counter,
            "Diagnostics that were not sent because their session has had too many.")
        page.sample(total.diagnosticsDropped)
    }
}
