internal import RefreshSession

/// The metrics of delays that users can notice: how long messages waited, and how many updates and
/// samples were merged.
extension MetricsPage {
    func addResponsiveness(to page: inout MetricsText) {
        page.family(
            "refreshd_queue_age_seconds", .histogram,
            "How long output had waited for a client's socket when it was sent.")
        page.histogram(total.queueAges)
        page.family(
            "refreshd_coalesced_updates_total", .counter,
            "Updates that were merged into a newer one before they were sent.")
        page.sample(total.coalescedUpdates)
        page.family(
            "refreshd_coalesced_samples_total", .counter,
            "Scroll samples that a later sample of the same frame replaced.")
        page.sample(total.coalescedSamples)
    }
}
