import RefreshProtocol
import ScenarioKit

// The actions of a user who reads model lists.
extension SimulatedClient {
    func makeReader(_ index: Int, _ plan: SimulationPlan) -> ShownView {
        let name = "v\(index)"
        let feed = generator.pick(ModelFeed.allCases)
        let options = ListReader.Options(
            depth: generator.pick(["first", "keep", "keep", "keepVisible"]),
            changes: generator.pick(["cue", "silent", "silent", "visible", "ignore"]),
            repetition: generator.pick(["reject", "join", "newest"]),
            pollMs: generator.pick([0, 0, 700, 2500]),
            staleAfter: generator.pick([0, 0, 400]))
        var view = ShownView(
            name: name,
            profile: generator.pick(["default", "default", "iqpulltorefresh", "mrefresh2"]),
            feed: feed.rawValue, owner: plan.shares ? nil : "c\(number)", hand: hand(of: name))
        view.reader = ListReader(
            feed: feed, initial: generator.pick(["none", "load", "kept", "kept"]),
            keepsPlace: mode == .plain && generator.chance(40),
            query: generator.below(ModelFeed.queries.count), options: options)
        return view
    }

    func actAsReader(_ kind: Int, viewAt index: Int) {
        switch kind {
        case ..<10: pull(viewAt: index)
        case ..<22: fling(viewAt: index)
        case ..<36: scrollAnywhere(viewAt: index)
        case ..<41: wheel(viewAt: index)
        case ..<57: sendReaderIntent(viewAt: index)
        case ..<70: query(viewAt: index)
        case ..<72: break
        case ..<76 where mode == .plain: reattach(viewAt: index)
        case ..<79: connection?.freeze(milliseconds: generator.milliseconds(50, 4000))
        case ..<84: hangUp()
        case ..<89: connectElsewhere()
        default: break
        }
    }

    /// Scrolls with a finger to a random offset.
    private func scrollAnywhere(viewAt index: Int) {
        let offset = views[index].hand.offset(at: t)
        let rest = views[index].rest
        let target =
            rest.lowerBound + generator.milliseconds(0, 1) * (rest.upperBound - rest.lowerBound)
        let steps = [0, 0.1, 0.3, 0.6, 1].map { part in
            GestureStep(
                pause: part == 0 ? 0 : 16,
                position: .offset(offset + part * (target - offset)),
                phase: part == 0 ? .began : .dragging)
        }
        play(
            steps + [GestureStep(pause: 16, position: .offset(target), phase: .ended)],
            viewAt: index)
    }

    private func sendReaderIntent(viewAt index: Int) {
        switch generator.below(14) {
        case 0, 1, 2: sendIntent("refresh", viewAt: index)
        case 3, 4, 5, 6: sendIntent("loadMore", viewAt: index)
        case 7: sendIntent("retry", viewAt: index)
        case 8: sendIntent("cancel", viewAt: index)
        case 9:
            sendIntent("reset", viewAt: index)
            views[index].reader?.clearing.append(seq)
            views[index].reader?.beginList(seq: seq)
        case 10: sendIntent("appear", viewAt: index)
        case 11: sendIntent("disappear", viewAt: index)
        case 12: configure(\.depth, to: generator.pick(["first", "keep", "keepVisible"]), index)
        default: configure(pollMs: generator.pick([0, 900]), viewAt: index)
        }
    }

    func sendIntent(_ type: String, viewAt index: Int) {
        simulation.count("sent", type)
        send(.object([.init("type", .string(type))]), viewAt: index)
    }

    private func configure(
        _ option: WritableKeyPath<ListReader.Options, String>, to value: String, _ index: Int
    ) {
        views[index].reader?.options[keyPath: option] = value
        sendOption("depth", .string(value), viewAt: index)
    }

    func configure(pollMs: Int, viewAt index: Int) {
        views[index].reader?.options.pollMs = pollMs
        sendOption("pollMs", .number(Double(pollMs)), viewAt: index)
    }

    private func sendOption(_ name: String, _ value: JSONValue, viewAt index: Int) {
        simulation.count("sent", "configure")
        send(
            .object([
                .init("type", .string("configure")), .init("top", .object([.init(name, value)])),
            ]), viewAt: index)
    }

    // MARK: Queries

    /// Types a query: one new query, or several within some hundred milliseconds.
    private func query(viewAt index: Int) {
        let name = views[index].name
        let debounceMs = generator.pick([nil, nil, 0, 120, 250])
        let shown = generator.pick([nil, "keep", "clear"])
        var delay = 0.0
        for _ in 0..<generator.pick([1, 1, 1, 3, 6]) {
            after(delay) { client in
                guard let index = client.index(of: name), client.views[index].isAttached,
                    !client.simulation.isQuiet
                else { return }
                client.sendQuery(
                    client.generator.below(ModelFeed.queries.count), debounceMs, shown,
                    viewAt: index)
            }
            delay += generator.milliseconds(20, 80)
        }
    }

    private func sendQuery(
        _ query: Int, _ debounceMs: Int?, _ shown: String?, viewAt index: Int
    ) {
        var parameters: [JSONValue.Member] = []
        if let owner = views[index].owner {
            parameters.append(.init(SimulatedFeed.owner, .string(owner)))
        }
        if query > 0 {
            parameters.append(.init(ModelFeed.query, .string(ModelFeed.queries[query])))
        }
        var members: [JSONValue.Member] = [
            .init("type", .string("configure")), .init("parameters", .object(parameters)),
        ]
        if let debounceMs { members.append(.init("debounceMs", .number(Double(debounceMs)))) }
        if let shown { members.append(.init("shown", .string(shown))) }
        simulation.count("sent", "query")
        send(.object(members), viewAt: index)
        views[index].reader?.recordQuery(query, seq: seq)
        if shown == "clear" { views[index].reader?.clearing.append(seq) }
    }

    // MARK: Beginning and rest

    /// Requests the first page in a new session.
    func beginReading(viewAt index: Int) {
        guard views[index].reader?.getsFirstItems == false else { return }
        send(.object([.init("type", .string("refresh"))]), viewAt: index)
    }

    /// Lets the simulated world come to rest: the views of the client no longer poll, and are in
    /// sight.
    func prepareToRest() {
        for index in views.indices where views[index].reader != nil {
            configure(pollMs: 0, viewAt: index)
            sendIntent("appear", viewAt: index)
        }
    }

    /// Refreshes all views.
    func refreshAll() {
        for index in views.indices where views[index].reader != nil {
            sendIntent("refresh", viewAt: index)
        }
    }
}
