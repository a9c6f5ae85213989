import RefreshProtocol

@testable import ScenarioKit

/// Plays a trace to a stream client and a local client, and compares them after each event.
struct LawTracePlayer {
    let trace: LawTrace
    let playback: LawPreviewPlayback
    private var isFingerDown = false
    private var slides = false
    private(set) var skipped = 0
    private(set) var difference: String?

    init(_ trace: LawTrace, _ profile: String, keepsWire: Bool = false) {
        self.trace = trace
        playback = LawPreviewPlayback(trace.attach(profile), keepsWire: keepsWire)
    }

    mutating func play() {
        for event in trace.events where playback.difference == nil {
            playback.pass(max((event["t"]?.number ?? 0) - playback.t, 0))
            playback.compare("before \(event["type"]?.string ?? "")")
            if !perform(event) { skipped += 1 }
            playback.compare(event["type"]?.string ?? "")
        }
        if isFingerDown { move(.ended) }
        move(.idle)
        playback.wait(9000)
        difference = playback.difference
    }

    private func move(_ phase: ScrollPhase, cause: Cause = .finger) {
        playback.move(
            HandSample(t: playback.t, .offset(playback.offset), phase: phase, cause: cause))
    }

    private mutating func perform(_ event: JSONValue) -> Bool {
        switch event["type"]?.string {
        case "dragBegin":
            playback.followCommands()
            (isFingerDown, slides) = (true, false)
            move(.began)
        case "scroll":
            playback.offset = trace.offset(event)
            if isFingerDown {
                move(.dragging)
            } else if slides {
                move(.decelerating)
            } else {
                move(.decelerating, cause: .code)
                move(.idle, cause: .code)
            }
        case "dragEnd", "dragCancel":
            isFingerDown = false
            slides = event["decelerate"]?.bool ?? false
            move(event["type"]?.string == "dragEnd" ? .ended : .cancelled)
            if !slides { move(.idle) }
        case "decelerateEnd":
            slides = false
            move(.idle)
        case "refresh": sendCommand("refresh")
        case "loadMore": sendCommand("loadMore")
        case "stopRefresh": sendCommand("cancel")
        case "setContentSize":
            playback.attach.content = trace.length(event)
            playback.sendGeometry()
        case "setViewport", "setContentInset", "setSafeArea": sendSizes(event)
        case "enableRefresh": enable(playback.attach.refreshEdge, event)
        case "enableLoadMore": enable(playback.attach.loadMoreEdge, event)
        case "refreshFinish", "loadMoreFinish", "respond": answer(event)
        // These events concern UIKit's flags, UIKit's refresh control, or paging. The daemon
        // implements these things in another way.
        default: return false
        }
        return true
    }

    private func sendCommand(_ type: String) {
        guard type != "loadMore" || playback.local.picture.edges.count == 2 else { return }
        playback.send(.object([.init("type", .string(type))]))
    }

    private func enable(_ edge: String, _ event: JSONValue) {
        guard playback.local.picture.edges[edge] != nil else { return }
        playback.send(
            .object([
                .init("type", .string("enable")), .init("edge", .string(edge)),
                .init("enabled", .bool(event["value"]?.bool ?? true)),
            ]))
    }

    private func sendSizes(_ event: JSONValue) {
        let names = ["setViewport": "viewport", "setContentInset": "insets"]
        guard case .object(let members) = event else { return }
        let sides = members.filter { !["t", "type"].contains($0.name) }
        let name = names[event["type"]?.string ?? ""] ?? "safeArea"
        playback.send(
            .object([.init("type", .string("geometry")), .init(name, .object(sides))]))
    }

    private func answer(_ event: JSONValue) {
        let result = event["success"]?.bool ?? true ? "success" : "failed"
        for peer in [playback.stream, playback.local] {
            if let load = peer.loads.last { peer.answer(load.name, result) }
        }
    }
}
