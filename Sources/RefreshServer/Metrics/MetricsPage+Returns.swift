/// Sessions that outlive their connections.
extension MetricsPage {
    func addReturns(to page: inout MetricsText) {
        page.family(
            "refreshd_sessions_detached", .gauge,
            "Sessions without a connection that wait for their clients.")
        page.sample(total.detached)
        page.family(
            "refreshd_detached_bytes", .gauge, "What those sessions hold, about.")
        page.sample(detachedBytes)
        page.family(
            "refreshd_sessions_crowded_out_total", .counter,
            "Sessions without a connection that were ended for want of room.")
        page.sample(total.sessionsCrowdedOut)
        page.family(
            "refreshd_resumes_total", .counter,
            "Clients that wanted to go on with a session, by what came of it.")
        for (row, result) in MetricsSnapshot.resumeResults.enumerated() {
            page.sample(total.resumes[row], [("result", result)])
        }
        page.family(
            "refreshd_void_frames_total", .counter,
            "Frames dropped because their session went on elsewhere or had ended.")
        page.sample(total.voidFrames)
        page.family(
            "refreshd_repeated_messages_total", .counter,
            "Messages that came again behind hello and had been handled before.")
        page.sample(total.repeatedMessages)
    }
}
