internal import RefreshSession

/// The metrics of sessions that outlive their connections.
extension MetricsPage {
    func addResumption(to page: inout MetricsText) {
        page.family(
            "refreshd_sessions_detached", .gauge,
            "Sessions without a connection that wait for their clients.")
        page.sample(total.detached)
        page.family(
            "refreshd_detached_bytes", .gauge, "Bytes that detached sessions hold, approximately.")
        page.sample(detachedBytes)
        page.family(
            "refreshd_sessions_crowded_out_total", .counter,
            "Sessions without a connection that were evicted.")
        page.sample(total.detachedSessionsEvicted)
        page.family(
            "refreshd_resumes_total", .counter,
            "Attempts of clients to resume a session, by result.")
        for (row, result) in SessionCounts.resumeResults.enumerated() {
            page.sample(total.resumes[row], [("result", result)])
        }
        page.family(
            "refreshd_void_frames_total", .counter,
            "Frames dropped because their session had moved to another connection or had ended.")
        page.sample(total.voidFrames)
        page.family(
            "refreshd_repeated_messages_total", .counter,
            "Messages that clients repeated after their hello, although they had already been handled."
        )
        page.sample(total.repeatedMessages)
    }
}
