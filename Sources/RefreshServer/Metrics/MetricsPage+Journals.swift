/// Journals that operators requested.
extension MetricsPage {
    func addJournals(to page: inout MetricsText) {
        page.family("refreshd_journals", .gauge, "Journals on request that are being written.")
        page.sample(journals.open)
        page.family(
            "refreshd_journals_begun_total", .counter, "Journals on request that were begun.")
        page.sample(journals.begun)
        page.family(
            "refreshd_journals_full_total", .counter,
            "Journals on request that ended because they were as long as they may become.")
        page.sample(journals.full)
        page.family(
            "refreshd_journals_refused_total", .counter,
            "Journals on request that were refused because there were as many as there may be.")
        page.sample(journals.refused)
    }
}
