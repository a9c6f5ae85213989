internal import RefreshBackends
internal import RefreshBroker
internal import RefreshConfiguration
internal import RefreshProtocol
internal import RefreshSession

/// The counts of the broker and the backends.
extension MetricsPage {
    func addBackends(to page: inout MetricsText) {
        addCalls(to: &page)
        addEdits(to: &page)
        addCache(to: &page)
        addCallLimits(to: &page)
        addBreakers(to: &page)
        addDurations(to: &page)
        addWorkers(to: &page)
        addStreams(to: &page)
    }

    /// The counts of the feeds. They are sorted by name, so that two metrics pages can be compared.
    private var feedTallies: [(name: String, tally: FeedTally)] {
        broker.feeds.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private var backendTallies: [(name: String, tally: BackendTally)] {
        broker.backends.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private func addCalls(to page: inout MetricsText) {
        page.family(
            "refreshd_backend_calls_total", .counter,
            "Backend calls that were started; loads that overlap share one call.")
        for (feed, tally) in feedTallies { page.sample(tally.started, [("feed", feed)]) }
        page.family(
            "refreshd_backend_calls_ended_total", .counter,
            "Backend calls that have ended, by result.")
        for (feed, tally) in feedTallies {
            for result in [LoadResult.success, .empty, .failed, .cancelled, .timedOut] {
                page.sample(
                    tally.ended[result] ?? 0, [("feed", feed), ("result", result.rawValue)])
            }
        }
        page.family(
            "refreshd_backend_calls_joined_total", .counter,
            "Loads that shared a call of another load.")
        for (feed, tally) in feedTallies { page.sample(tally.joined, [("feed", feed)]) }
        page.family(
            "refreshd_backend_calls_refused_total", .counter,
            "Loads refused because the queue was full or loadsInFlightMax calls were running.")
        for (feed, tally) in feedTallies { page.sample(tally.refused, [("feed", feed)]) }
        page.family(
            "refreshd_backend_late_answers_total", .counter,
            "Answers of backends for which no load waited any more.")
        page.sample(broker.lateAnswers)
        page.family(
            "refreshd_backend_late_progress_total", .counter,
            "Progress of calls for which no load waited any more.")
        page.sample(broker.lateProgress)
        page.family("refreshd_backend_waiters", .gauge, "Loads that have not ended.")
        page.sample(broker.waiters)
    }

    private func addEdits(to page: inout MetricsText) {
        page.family("refreshd_edits_total", .counter, "Edits that have ended, by result.")
        for (feed, counts) in broker.edits.sorted(by: { $0.key < $1.key }) {
            for result in EditResult.allCases {
                page.sample(
                    counts[result] ?? 0, [("feed", feed), ("result", result.rawValue)])
            }
        }
    }

    private func addCache(to page: inout MetricsText) {
        page.family(
            "refreshd_cache_hits_total", .counter, "Loads answered from the cache.")
        for (feed, tally) in feedTallies {
            for (answer, count) in [
                ("fresh", tally.hits.fresh), ("stale", tally.hits.stale),
                ("failure", tally.hits.failure), ("coolDown", tally.hits.coolDown),
            ] {
                page.sample(count, [("feed", feed), ("answer", answer)])
            }
        }
        page.family(
            "refreshd_cache_revalidations_total", .counter,
            "Background calls for answers that were stale.")
        for (feed, tally) in feedTallies { page.sample(tally.revalidations, [("feed", feed)]) }
        page.family("refreshd_cache_entries", .gauge, "Requests with an entry in the cache.")
        page.sample(broker.cacheEntries)
        page.family("refreshd_cache_bytes", .gauge, "Bytes in the cache.")
        page.sample(broker.cacheBytes)
    }

    private func addCallLimits(to page: inout MetricsText) {
        let families: [(String, MetricsText.Kind, String, (BackendTally) -> Int)] = [
            (
                "refreshd_backend_calls_in_flight", .gauge, "Calls that have not returned.",
                { $0.callsInFlight }
            ),
            ("refreshd_backend_queued", .gauge, "Loads that wait for a call.", { $0.queued }),
            (
                "refreshd_backend_shed_total", .counter,
                "Loads refused because all permitted calls were running and the queue was full.",
                { $0.shed }
            ),
            (
                "refreshd_backend_retries_total", .counter, "Calls that were retries.",
                { $0.retries }
            ),
            (
                "refreshd_backend_retries_refused_total", .counter,
                "Retries that the retry budget did not allow.", { $0.retriesRefused }
            ),
        ]
        for (name, kind, help, value) in families {
            page.family(name, kind, help)
            for (backend, tally) in backendTallies {
                page.sample(value(tally), [("backend", backend)])
            }
        }
    }

    private func addBreakers(to page: inout MetricsText) {
        page.family(
            "refreshd_backend_breaker_state", .gauge,
            "State of the circuit breaker: 0 closed, 1 half open (its probe runs), 2 open.")
        for (backend, tally) in backendTallies {
            page.sample(Self.number(of: tally.breaker), [("backend", backend)])
        }
        page.family(
            "refreshd_backend_breaker_openings_total", .counter,
            "How often a breaker opened.")
        for (backend, tally) in backendTallies {
            page.sample(tally.timesOpened, [("backend", backend)])
        }
        page.family(
            "refreshd_backend_suspended_total", .counter,
            "Loads that failed because the breaker was open.")
        for (backend, tally) in backendTallies {
            page.sample(tally.suspended, [("backend", backend)])
        }
    }

    private static func number(of state: BreakerState) -> Int {
        switch state {
        case .closed: 0
        case .halfOpen: 1
        case .open: 2
        }
    }

    private func addDurations(to page: inout MetricsText) {
        page.family(
            "refreshd_backend_call_duration_seconds", .histogram,
            "Duration of backend calls, whatever their result.")
        for backend in backends {
            page.histogram(backend.durations.snapshot, [("backend", backend.name)])
        }
    }

    private func addStreams(to page: inout MetricsText) {
        page.family(
            "refreshd_change_streams_connected", .gauge,
            "Whether the stream of changes of a feed is connected.")
        for stream in streams { page.sample(stream.isConnected ? 1 : 0, [("feed", stream.feed)]) }
        page.family(
            "refreshd_change_stream_faults_total", .counter,
            "Reports, lines and events of a stream of changes that were not as described.")
        for stream in streams { page.sample(stream.faults, [("feed", stream.feed)]) }
    }

    private func addWorkers(to page: inout MetricsText) {
        let counted = workers.map { workers in
            (
                workers: workers, counters: workers.counters(),
                labels: [("backend", workers.name), ("kind", workers.kind.rawValue)]
            )
        }
        let families: [(String, MetricsText.Kind, String, (WorkerCounters) -> Int)] = [
            (
                "refreshd_workers", .gauge, "Processes that run, and workers that are connected.",
                { $0.workers }
            ),
            (
                "refreshd_workers_joined_total", .counter,
                "Processes that were started, and workers that have registered.", { $0.joined }
            ),
            (
                "refreshd_workers_dismissed_total", .counter,
                "Workers dismissed because of an invalid message or an overdue answer.",
                { $0.dismissed }
            ),
            (
                "refreshd_worker_loads_waiting", .gauge, "Loads that wait for a worker.",
                { $0.waiting }
            ),
            (
                "refreshd_worker_loads_running", .gauge, "Loads that are assigned to a worker.",
                { $0.running }
            ),
            (
                "refreshd_worker_loads_reissued_total", .counter,
                "Loads assigned to another worker because the first worker was lost.",
                { $0.reissued }
            ),
            (
                "refreshd_worker_late_answers_total", .counter,
                "Answers of workers for which no load waited any more.", { $0.lateAnswers }
            ),
        ]
        for (name, kind, help, value) in families {
            page.family(name, kind, help)
            for entry in counted { page.sample(value(entry.counters), entry.labels) }
        }
        page.family(
            "refreshd_worker_restarts_total", .counter, "Processes that were restarted.")
        for entry in counted {
            guard let processes = entry.workers.processes else { continue }
            page.sample(max(0, entry.counters.joined - processes), entry.labels)
        }
    }
}
