/// The metrics of the journals that operators requested.
extension MetricsPage {
    func addJournals(to page: inout MetricsText) {
        page.family("refreshd_journals", .gauge, "Journals on request that are being written.")
        page.sample(journals.open)
        page.family(
            "refreshd_journals_begun_total", .counter, "Journals on request that were begun.")
        page.sample(journals.begun)
        page.family(
            "refreshd_journals_full_total", .counter,
            "Journals on request that ended because they reached their maximum size.")
        page.sample(journals.full)
        page.family(
            "refreshd_journals_refused_total", .counter,
            "Journals on request that were refused because their maximum number was reached.")
        page.sample(journals.refused)
    }
}
