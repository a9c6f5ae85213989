internal import RefreshSession

/// The responsiveness that users notice: waiting messages, merged updates and samples, and times to
/// items.
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
        page.family(
            "refreshd_time_to_items_seconds", .histogram,
            "From the start of a load to the sending of its items.")
        for row in total.timesToItems {
            page.histogram(row.durations, [("backend", row.backend)])
        }
    }

    func addUsage(to page: inout MetricsText) {
        page.family("process_open_fds", .gauge, "Files that the process has open.")
        page.sample(usage.openFiles)
        page.family("process_max_fds", .gauge, "Files that the process may open.")
        page.sample(usage.openFilesMax)
        page.family(
            "process_cpu_seconds_total", .counter, "CPU time that the process has used.")
        page.sample(text: MetricsText.seconds(usage.cpuMicroseconds))
        page.family("refreshd_watchers", .gauge, "Connections that watch sessions.")
        page.sample(watchers)
    }
}
