import RefreshClient
import RefreshProtocol

/// A client with its simulated platform and user. The order `connect` creates it, and the order
/// `reset` ends it.
actor SimulatedUser {
    /// The client cannot carry out the order.
    struct Cannot: Error { let reason: String }

    private struct Row: Equatable {
        var id: JSONValue
        var position: Double
    }

    private static let stepMs = 16.0
    /// The number of steps in which a list springs back.
    private static let springSteps = 16

    let client: RefreshClient
    private var sizes: [String: JSONValue] = [:]
    private let itemLength: Double
    private var errors: [JSONValue] = []
    private var cues: [String: [JSONValue]] = [:]
    private var watching: Task<Void, Never>?
    /// By view, the finger that is down: its translation in points, and the velocity of the list in
    /// points per second.
    private var fingers: [String: (travel: Double, velocity: Double, pans: Bool)] = [:]
    private var springs: [String: Task<Void, Never>] = [:]
    /// The edit that was made last.
    private var lastEdit: String?
    /// By view, the rows that are laid out.
    private var rows: [String: [Row]] = [:]

    init(_ order: JSONValue, transport: any ClientTransport) {
        let bodies = order["views"]?.array ?? []
        var configuration = ClientConfiguration(
            client: "swift/1.0", views: bodies.map { ViewDescription(body: $0) })
        configuration.features = order["features"]?.array?.compactMap(\.string)
        configuration.firstMessages = order["first"]?.array ?? []
        client = RefreshClient(
            url: order["url"]?.string ?? "", configuration: configuration, transport: transport)
        for body in bodies { sizes[body["view"]?.string ?? ""] = body["geometry"] }
        itemLength = order["itemLength"]?.number ?? 0
    }

    func start() async {
        let events = await client.events()
        watching = Task { [weak self] in
            for await event in events { await self?.handle(event) }
        }
        await client.connect()
    }

    func end() async {
        watching?.cancel()
        for spring in springs.values { spring.cancel() }
        await client.enterBackground()
    }

    private func handle(_ event: ClientEvent) async {
        switch event {
        case .fault(_, let name, _, _): errors.append(.string(name))
        case .haptic(let cue, let view): cues[view, default: []].append(.string(cue.rawValue))
        case .itemsReceived(_, let view) where itemLength > 0: await layOut(view)
        default: break
        }
    }

    // MARK: The platform

    /// Lays out the items, and reports the new length of the content. The first item in sight stays
    /// where it is.
    private func layOut(_ view: String) async {
        guard let state = await client.state.views[view] else { return }
        let before = rows[view] ?? []
        let offset = state.offset.target
        if let rows = state.rows { return await layOut(view, rows) }
        let after = state.items.enumerated().map {
            Row(id: $0.element["id"] ?? .null, position: Double($0.offset) * itemLength)
        }
        rows[view] = after
        var geometry = JSONValue.object([
            .init("type", .string("geometry")), .init("view", .string(view)),
        ])
        let height = Double(after.count) * itemLength
        var content = sizes[view]?["content"] ?? .object([])
        content["height"] = .number(height)
        sizes[view]?["content"] = content
        geometry["content"] = content
        let inSight = before.firstIndex { $0.position + itemLength > offset }
        guard let inSight, offset > 0, let pair = Self.common(before, after, from: inSight) else {
            return await client.send([geometry])
        }
        var anchor = geometry
        anchor["content"] = nil
        anchor["anchor"] = Self.anchor(pair.before)
        geometry["anchor"] = Self.anchor(pair.after)
        await client.send([anchor, geometry])
    }

    /// Lays out a list with random access.
    private func layOut(_ view: String, _ rows: ItemRows) async {
        var content = sizes[view]?["content"] ?? .object([])
        content["height"] = .number(Double(rows.count) * itemLength)
        sizes[view]?["content"] = content
        let update = GeometryUpdate(
            content: .init(
                width: content["width"]?.number ?? 0, height: content["height"]?.number ?? 0),
            visible: await rowsInSight(view, at: offset(view)))
        await client.updateGeometry(view, update)
    }

    /// The rows in sight at an offset; nil without random access.
    private func rowsInSight(_ view: String, at offset: Double) async -> ClosedRange<Int>? {
        guard itemLength > 0, let rows = await client.state.views[view]?.rows, rows.count > 0
        else { return nil }
        let length = sizes[view]?["viewport"]?["height"]?.number ?? 0
        let last = min(
            max(Int(((offset + length) / itemLength).rounded(.up)) - 1, 0), rows.count - 1)
        return min(max(Int(offset / itemLength), 0), last)...last
    }

    /// Reports a sample with the rows in sight.
    private func report(
        _ view: String, to offset: Double, phase: ScrollPhase, cause: Cause? = nil
    ) async {
        await client.scroll(
            view, to: offset, phase: phase, cause: cause,
            visible: await rowsInSight(view, at: offset))
    }

    private static func anchor(_ row: Row) -> JSONValue {
        let id = row.id.string.map { JSONValue.string($0) } ?? row.id
        return .object([.init("id", id), .init("position", .number(row.position))])
    }

    private static func common(
        _ before: [Row], _ after: [Row], from index: Int
    ) -> (before: Row, after: Row)? {
        for place in before.indices.sorted(by: { abs($0 - index) < abs($1 - index) }) {
            if let row = after.first(where: { $0.id == before[place].id }) {
                return (before[place], row)
            }
        }
        return nil
    }

    private func offset(_ view: String) async -> Double {
        await client.state.views[view]?.offset.target ?? 0
    }

    /// The offset at which the list comes to rest, within its content and the open rooms.
    private func rest(_ view: String) async -> Double {
        guard let state = await client.state.views[view] else { return 0 }
        let length = sizes[view]?["content"]?["height"]?.number ?? 0
        let viewport = sizes[view]?["viewport"]?["height"]?.number ?? 0
        let end = max(0, length - viewport) + (state.insets[.bottom]?.target ?? 0)
        return min(max(state.offset.target, -(state.insets[.top]?.target ?? 0)), end)
    }

    private func spring(_ view: String) async {
        var step = Double(Self.springSteps)
        while true {
            let offset = await offset(view)
            guard await offset != rest(view) else { break }
            guard (try? await Task.sleep(for: .milliseconds(Self.stepMs))) != nil else { return }
            let goal = await rest(view)
            guard !Task.isCancelled else { return }
            let next = step == 1 ? goal : offset + (goal - offset) / step
            step = max(1, step - 1)
            await report(view, to: next, phase: .decelerating)
        }
        guard !Task.isCancelled else { return }
        await report(view, to: await offset(view), phase: .idle)
    }

    // MARK: Orders

    func carryOut(_ action: String, _ order: JSONValue) async throws {
        let view = order["view"]?.string ?? "list"
        switch action {
        case "drag": try await drag(view, order)
        case "release": await lift(view, .ended)
        case "takeAway": await lift(view, .cancelled)
        case "scrollTo": await scroll(view, order)
        case "resize": await resize(view, order)
        case "ask": await ask(view, order)
        case "query": await query(view, order)
        case "edit": try await edit(view, order)
        case "undo": if let lastEdit { await client.undo(view, lastEdit) }
        case "disappear": await client.disappear(view)
        case "appear": await client.appear(view)
        case "detach":
            springs.removeValue(forKey: view)?.cancel()
            fingers[view] = nil
            rows[view] = nil
            await client.detach(view)
        case "finish":
            await client.finishLoad(
                order["load"]?.string ?? "", of: view,
                order["result"]?.string.flatMap(LoadResult.init) ?? .success,
                count: Int(order["count"]?.number ?? 0), more: order["more"]?.bool,
                cursor: order["cursor"]?.string)
        case "drop": await client.cutConnection()
        case "bye": await client.close()
        case "report": break
        default: throw Cannot(reason: "unknown order: \(action)")
        }
    }

    private func drag(_ view: String, _ order: JSONValue) async throws {
        springs.removeValue(forKey: view)?.cancel()
        let pans = fingers[view]?.pans ?? (order["way"]?.string == "pan")
        let by = order["by"]?.number ?? 0
        let ms = order["ms"]?.number ?? 100
        let start = await offset(view)
        if fingers[view] == nil {
            fingers[view] = (0, 0, pans)
            if pans {
                await client.pan(view, translation: 0, phase: .began, offset: start)
            } else {
                await report(view, to: start, phase: .began)
            }
        }
        let travel = fingers[view]?.travel ?? 0
        let steps = max(1, Int((ms / Self.stepMs).rounded()))
        for step in 1...steps {
            try await Task.sleep(for: .milliseconds(ms / Double(steps)))
            let part = by * Double(step) / Double(steps)
            if pans {
                await client.pan(view, translation: travel + part, phase: .dragging)
            } else {
                await report(view, to: start - part, phase: .dragging)
            }
        }
        fingers[view] = (travel + by, -by / ms * 1000, pans)
    }

    private func lift(_ view: String, _ phase: ScrollPhase) async {
        guard let finger = fingers.removeValue(forKey: view) else { return }
        if finger.pans {
            return await client.pan(
                view, translation: finger.travel, phase: phase, velocity: finger.velocity)
        }
        await report(view, to: await offset(view), phase: phase)
        springs[view] = Task { await spring(view) }
    }

    private func scroll(_ view: String, _ order: JSONValue) async {
        springs.removeValue(forKey: view)?.cancel()
        let offset = order["offset"]?.number ?? 0
        let cause = order["cause"]?.string.flatMap(Cause.init) ?? .code
        await report(view, to: offset, phase: .decelerating, cause: cause)
        await report(view, to: offset, phase: .idle, cause: cause)
    }

    private func resize(_ view: String, _ order: JSONValue) async {
        var message = JSONValue.object([
            .init("type", .string("geometry")), .init("view", .string(view)),
        ])
        for name in ["content", "viewport"] {
            guard let size = order[name], size != .null else { continue }
            message[name] = size
            sizes[view]?[name] = size
        }
        await client.send([message])
    }

    private func ask(_ view: String, _ order: JSONValue) async {
        var message = JSONValue.object([
            .init("type", order["for"] ?? .null), .init("view", .string(view)),
        ])
        for name in ["edge", "cause", "open"] { message[name] = order[name] }
        await client.send([message])
    }

    private func query(_ view: String, _ order: JSONValue) async {
        guard case .object(let members)? = order["parameters"] else { return }
        let pairs = members.compactMap { member in
            member.value.string.map { (member.name, $0) }
        }
        await client.query(
            view, parameters: Dictionary(uniqueKeysWithValues: pairs),
            debounceMs: order["debounceMs"]?.number,
            shown: order["shown"]?.string.flatMap(ShownItems.init))
    }

    private func edit(_ view: String, _ order: JSONValue) async throws {
        guard let operation = Self.operation(order["operation"]) else {
            throw Cannot(reason: "unknown operation")
        }
        do {
            lastEdit = try await client.edit(
                view, operation, delayMs: Int(order["delayMs"]?.number ?? 0))
        } catch {
            throw Cannot(reason: error.description)
        }
    }

    private static func operation(_ json: JSONValue?) -> EditOperation? {
        guard let json else { return nil }
        let place: EditOperation.Place? =
            switch (json["at"]?.string, json["before"], json["after"]) {
            case ("start", _, _): .start
            case ("end", _, _): .end
            case (_, let key?, _): .before(key)
            case (_, _, let key?): .after(key)
            default: nil
            }
        if let item = json["update"] { return .update(item) }
        if let key = json["remove"] { return .remove(key) }
        if let key = json["refresh"] { return .refresh(key) }
        guard let place else { return nil }
        if let item = json["insert"] { return .insert(item, place) }
        return json["move"].map { .move($0, place) }
    }

    // MARK: What is shown

    func shown() async -> JSONValue {
        let state = await client.state
        let views = state.views.sorted { $0.key < $1.key }.map { name, view in
            JSONValue.Member(name, shown(view, name))
        }
        return .object([
            .init("status", .string(state.status.rawValue)), .init("errors", .array(errors)),
            .init("views", .object(views)),
        ])
    }

    private func shown(_ view: ViewState, _ name: String) -> JSONValue {
        var shown = JSONValue.object([
            .init("attached", .bool(view.isAttached)),
            .init("offset", .number(view.offset.target)),
            .init("items", .array(Self.items(view).map { $0?["id"] ?? .null })),
            .init("loads", .array(view.loads.map { .string($0) })),
            .init("newer", .bool(view.hasNewer)), .init("cues", .array(cues[name] ?? [])),
        ])
        shown["sections"] = .array(
            view.sections.map {
                .object([
                    .init("value", $0.value), .init("start", .number(Double($0.start))),
                    .init("count", .number(Double($0.count))),
                ])
            })
        var insets = JSONValue.object([])
        for (edge, inset) in view.insets { insets[edge.rawValue] = .number(inset.target) }
        shown["insets"] = insets
        var floor = JSONValue.object([.init("state", .string(view.floor.rawValue))])
        floor["progress"] = view.floorProgress.map { .number($0) }
        shown["floor"] = floor
        var edges = JSONValue.object([])
        for (edge, value) in view.edges { edges[edge.rawValue] = Self.json(value) }
        shown["edges"] = edges
        if let row = rows[name]?.first(where: { $0.position + itemLength > view.offset.target }) {
            shown["itemInSight"] = .object([
                .init("id", row.id),
                .init("position", .number(row.position - view.offset.target)),
            ])
        }
        return shown
    }

    /// The items in their order; nil: a placeholder.
    private static func items(_ view: ViewState) -> [JSONValue?] {
        guard let rows = view.rows else { return view.items }
        return (0..<rows.count).map { rows[$0] }
    }

    private static func json(_ edge: ShownEdge) -> JSONValue {
        var json = JSONValue.object([.init("state", .string(edge.state.rawValue))])
        json["progress"] = edge.progress.map { .number($0) }
        json["indicator"] = .object([
            .init("progress", .number(edge.indicator.progress)),
            .init("alpha", .number(edge.indicator.alpha)),
            .init("scale", .number(edge.indicator.scale)),
            .init("rotation", .number(edge.indicator.rotation)),
            .init("spin", .number(edge.indicator.spin)),
        ])
        return json
    }
}
