internal import RefreshProtocol
internal import RefreshSession

/// The metrics of the parts of clients' messages that the daemon ignored without a fault.
extension MetricsPage {
    func addDiagnostics(to page: inout MetricsText) {
        page.family(
            "refreshd_diagnostics_total", .counter,
            "Client input that the daemon ignored without a fault, by code.")
        for code in DiagnosticCode.allCases {
            page.sample(total.count(of: code), [("code", code.rawValue)])
        }
        page.family(
            "refreshd_diagnostics_dropped_total", .counter,
            "Diagnostics that were not sent because of their session's limit.")
        page.sample(total.diagnosticsDropped)
    }
}
