import RefreshProtocol

/// Preload: the next page is requested before the list reaches its end. The options `preload`,
/// `preloadItems` and `leadTime` decide how early.
extension Engine {
    /// Whether the list has reached the place at which the next page is requested. `threshold` is
    /// `preloadThreshold`, and `positionProgress` is the progress to it. With the option
    /// `leadTime`, the place depends on the speed: the faster the list is, the farther the place is
    /// from `threshold`.
    @inline(__always)
    func isPreloadDue(
        _ options: LoadMoreOptions, threshold: Double, positionProgress: Double?
    ) -> Bool {
        let progress =
            options.leadTime == nil ? positionProgress : leadTimeProgress(options, threshold)
        return progress == 1
    }

    /// The place at which the next page is requested at any speed.
    @inline(__always)
    func preloadThreshold(_ options: LoadMoreOptions) -> Double {
        loadMoreThreshold(options, preload: preloadDistance(options))
    }

    /// The place at which the next page is requested for a preload distance. With the mode `limit`,
    /// it is `preload` points before the end. With the mode `user`, it is `length` points beyond
    /// that place.
    @inline(__always)
    func loadMoreThreshold(_ options: LoadMoreOptions, preload: Double) -> Double {
        let end = geometry.endOffset - preload
        return options.mode == .user ? end + options.length : end
    }

    /// The distance before the end at which the next page is requested at any speed, in points. It
    /// is the larger of `preload` and the length of `preloadItems` items.
    @inline(__always)
    private func preloadDistance(_ options: LoadMoreOptions) -> Double {
        guard options.preloadItems > 0, paging.itemCount > 0 else { return options.preload }
        let item = geometry.contentLength / Double(paging.itemCount)
        return max(options.preload, item * Double(options.preloadItems))
    }

    /// The progress to the place at which the next page is requested at the list's current speed.
    private func leadTimeProgress(_ options: LoadMoreOptions, _ threshold: Double) -> Double? {
        guard geometry.isMeasured, let leadTime = options.leadTime else { return nil }
        let early = loadMoreThreshold(
            options, preload: scrollSpeed.distance(leadTime: Double(leadTime)))
        return approachProgress(to: min(threshold, early), options)
    }

    /// The progress to `threshold`: 0 outside the zone before the threshold, 1 at the threshold and
    /// beyond. The progress is exact, and depends only on the place of the list.
    @inline(__always)
    func approachProgress(to threshold: Double, _ options: LoadMoreOptions) -> Double {
        if offset >= threshold { return 1 }
        return min(max((offset - (threshold - options.length)) / options.length, 0), Self.belowOne)
    }

    /// The time at which a list in flight requests the next page. It requests the page at the same
    /// place as a list that the client scrolls. Nil if the list requests no page.
    func instantOfPreload(in flight: Flight) -> Instant? {
        guard let options = options.loadMore, options.mode == .limit, geometry.isMeasured,
            gesture.isOpen, flight.velocity > 0
        else { return nil }
        let near = flight.instant(passing: geometry.endOffset - preloadDistance(options))
        guard let leadTime = options.leadTime else { return near }
        let soon = flight.instant(
            within: scrollSpeed.latency + Double(leadTime), of: geometry.endOffset)
        guard let near, let soon else { return near ?? soon }
        return min(near, soon)
    }
}
