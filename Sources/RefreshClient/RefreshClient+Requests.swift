public import RefreshProtocol

/// What the app reports and asks for. Messages about unknown views are ignored.
extension RefreshClient {
    // MARK: Views

    /// Adds a view.
    public func attach(_ view: ViewDescription) {
        perform { machine, now in machine.attach(view, at: now) }
    }

    /// Removes a view, and cancels its loads.
    public func detach(_ view: String) {
        perform { machine, now in machine.detach(view, at: now) }
    }

    /// Reports changed sizes.
    public func updateGeometry(_ view: String, _ geometry: GeometryUpdate) {
        send("geometry", view) { message in
            guard case .object(let members) = geometry.json else { return }
            for member in members { message[member.name] = member.value }
        }
    }

    /// The view is visible again.
    public func appear(_ view: String) {
        perform { machine, now in machine.setVisible(true, view: view, at: now) }
    }

    /// The view is not visible any more.
    public func disappear(_ view: String) {
        perform { machine, now in machine.setVisible(false, view: view, at: now) }
    }

    // MARK: Movement

    /// Reports that the platform has moved the list. While a finger rests, the client repeats the
    /// last sample by itself.
    ///
    /// - Parameters:
    ///   - view: The view.
    ///   - offset: The content offset along the axis, in points.
    ///   - phase: The phase of the movement.
    ///   - velocity: With `ended`, the velocity in points per second, positive towards the end of
    ///     the content.
    ///   - cause: The origin of the movement; nil: a finger.
    ///   - visible: The rows in sight, counted from 0, for a list with random access; nil: those of
    ///     the last report. Rows that the daemon knows are not sent again while the list moves.
    public func scroll(
        _ view: String, to offset: Double, phase: ScrollPhase, velocity: Double? = nil,
        cause: Cause? = nil, visible: ClosedRange<Int>? = nil
    ) {
        send("scroll", view) { message in
            message["t"] = .number(now)
            message["offset"] = .number(offset)
            message["phase"] = .string(phase.rawValue)
            message["velocity"] = velocity.map { .number($0) }
            message["cause"] = cause.map { .string($0.rawValue) }
            message["visible"] = visible.map { .rows($0) }
        }
    }

    /// Reports that a finger has moved, if the daemon moves the list.
    ///
    /// - Parameters:
    ///   - view: The view.
    ///   - translation: The travel of the finger since `began`, in points; positive downwards.
    ///   - phase: `began`, `dragging`, `ended` or `cancelled`.
    ///   - velocity: With `ended`, the velocity of the list in points per second.
    ///   - offset: With `began`, the content offset at which the list is shown.
    ///   - cause: The origin of the movement; nil: a finger.
    public func pan(
        _ view: String, translation: Double, phase: ScrollPhase, velocity: Double? = nil,
        offset: Double? = nil, cause: Cause? = nil
    ) {
        send("pan", view) { message in
            message["t"] = .number(now)
            message["translation"] = .number(translation)
            message["phase"] = .string(phase.rawValue)
            message["velocity"] = velocity.map { .number($0) }
            message["offset"] = offset.map { .number($0) }
            message["cause"] = cause.map { .string($0.rawValue) }
        }
    }

    // MARK: Requests

    /// Starts a refresh and shows it.
    public func refresh(_ view: String, cause: Cause = .code, animated: Bool? = nil) {
        send("refresh", view) { message in
            message["cause"] = .string(cause.rawValue)
            message["animated"] = animated.map { .bool($0) }
        }
    }

    /// Shows the refresh indicator without a load.
    public func beginRefreshing(_ view: String, animated: Bool? = nil) {
        send("begin", view) { $0["animated"] = animated.map { .bool($0) } }
    }

    /// Hides the refresh indicator, and cancels a running refresh.
    public func endRefreshing(_ view: String, animated: Bool? = nil) {
        send("end", view) { $0["animated"] = animated.map { .bool($0) } }
    }

    /// Loads the next page.
    public func loadMore(_ view: String, cause: Cause = .code) {
        send("loadMore", view) { $0["cause"] = .string(cause.rawValue) }
    }

    /// Repeats the load that failed last; nil: at the edge whose load failed.
    public func retry(_ view: String, edge: Edge? = nil) { send("retry", view, edge: edge) }

    /// Cancels the load at an edge; nil: at both edges.
    public func cancel(_ view: String, edge: Edge? = nil) { send("cancel", view, edge: edge) }

    /// Discards the pages of an edge and the results of its loads; nil: of both edges.
    public func reset(_ view: String, edge: Edge? = nil) { send("reset", view, edge: edge) }

    /// Opens or closes the second floor.
    public func setFloor(_ view: String, isOpen: Bool) {
        send("floor", view) { $0["open"] = .bool(isOpen) }
    }

    /// Enables or disables an edge.
    public func setEnabled(_ view: String, edge: Edge, isEnabled: Bool) {
        send("enable", view) { message in
            message["edge"] = .string(edge.rawValue)
            message["enabled"] = .bool(isEnabled)
        }
    }

    /// Changes options of edges, or the paging. What is left out stays as it is. Another paging
    /// discards the pages.
    public func configure(
        _ view: String, refresh: (edge: Edge, options: RefreshEdgeOptions)? = nil,
        loadMore: (edge: Edge, options: LoadMoreEdgeOptions)? = nil,
        paging: PagingDescription? = nil
    ) {
        send("configure", view) { message in
            if let refresh { message[refresh.edge.rawValue] = refresh.options.json }
            if let loadMore { message[loadMore.edge.rawValue] = loadMore.options.json }
            message["paging"] = paging?.json
        }
    }

    /// Makes a new query of the view's feed, if the feature `query` is in use.
    ///
    /// - Parameters:
    ///   - view: The view.
    ///   - parameters: All parameters of the query.
    ///   - debounceMs: Milliseconds, 0 to 60000; nil: the value of the feed.
    ///   - shown: What is shown until the first page is there; nil: the old items.
    public func query(
        _ view: String, parameters: [String: String], debounceMs: Double? = nil,
        shown: ShownItems? = nil
    ) {
        perform { machine, now in
            machine.query(
                view, parameters: parameters, debounceMs: debounceMs, shown: shown, at: now)
        }
    }

    /// Makes an edit, and shows it at once. The client keeps the edit, also without a connection,
    /// until the daemon has answered it (`ClientEvent.edited`). The features `patch`, `live` and
    /// `edits` must be in use.
    ///
    /// - Parameters:
    ///   - view: The view.
    ///   - operation: What changes.
    ///   - delayMs: How long the daemon waits before it performs the edit, so that the user can
    ///     undo it: milliseconds, 0 to 60000.
    ///   - id: The name of the edit, which no other edit of the user has at any time; nil: a random
    ///     UUID.
    /// - Returns: The name of the edit.
    /// - Throws: The reason why the client refuses the edit. Nothing has changed then.
    @discardableResult
    public func edit(
        _ view: String, _ operation: EditOperation, delayMs: Int = 0, id: String? = nil
    ) throws(EditError) -> String {
        var random = self.random
        let (id, effects) = try machine.edit(
            view, operation, delayMs: delayMs, id: id, at: now, random: &random)
        perform { _, _ in effects }
        return id
    }

    /// Undoes an edit. It has no effect if the daemon has begun to perform the edit. The answer to
    /// an edit that was undone is `rolledBack` with the code `undone`.
    public func undo(_ view: String, _ edit: String) {
        perform { machine, now in machine.undo(view, edit, at: now) }
    }

    /// Brings the newest items into sight, if the feature `unread` is in use.
    public func revealNewest(_ view: String, animated: Bool? = nil) {
        guard state.features.contains("unread") else { return }
        send("reveal", view) { $0["animated"] = animated.map { .bool($0) } }
    }

    /// Records that the user has read the list up to an item, if the feature `unread` is in use.
    public func markRead(_ view: String, upTo id: String) {
        guard state.features.contains("unread") else { return }
        send("read", view) { $0["id"] = .string(id) }
    }

    // MARK: Loads of the app

    /// The app begins a load (`ClientEvent.load`), or refuses to.
    public func beginLoad(_ load: LoadTask, accepted: Bool = true) {
        send("loadBegan", load.view) { message in
            message["load"] = .string(load.id)
            message["accepted"] = .bool(accepted)
        }
    }

    /// The app has ended a load.
    ///
    /// - Parameters:
    ///   - load: The identifier of the load.
    ///   - view: The view for which the page is.
    ///   - result: `success`, `empty`, `noMore`, `failed` or `cancelled`.
    ///   - count: The number of received items.
    ///   - more: Whether another page exists; nil: `count` decides.
    ///   - cursor: The next cursor.
    public func finishLoad(
        _ load: String, of view: String, _ result: LoadResult, count: Int = 0, more: Bool? = nil,
        cursor: String? = nil
    ) {
        var message = ClientMachine.message("loadFinished", view)
        message["load"] = .string(load)
        message["result"] = .string(result.rawValue)
        message["count"] = .number(Double(count))
        message["more"] = more.map { .bool($0) }
        message["cursor"] = cursor.map { .string($0) }
        perform { machine, now in machine.finishLoad(message, at: now) }
    }

    // MARK: Sending

    private func send(_ type: String, _ view: String, edge: Edge?) {
        send(type, view) { $0["edge"] = edge.map { .string($0.rawValue) } }
    }

    private func send(_ type: String, _ view: String, _ fill: (inout JSONValue) -> Void) {
        var message = ClientMachine.message(type, view)
        fill(&message)
        send([message])
    }

    /// Sends messages about views in one frame.
    package func send(_ messages: [JSONValue]) {
        perform { machine, now in machine.perform(messages, at: now) }
    }
}
