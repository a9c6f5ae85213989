import RefreshProtocol

@testable import ScenarioKit

/// Plays a trace to a stream client and a local client, and compares them after each event.
struct LawTracePlayer {
    let trace: LawTrace
    let rehearsal: LawPreviewPlayback
    private var isFingerDown = false
    private var slides = false
    private(set) var skipped = 0
    private(set) var difference: String?

    init(_ trace: LawTrace, _ profile: String) {
        self.trace = trace
        rehearsal = LawPreviewPlayback(trace.attach(profile))
    }

    mutating func play() {
        for event in trace.events where rehearsal.difference == nil {
            rehearsal.pass(max((event["t"]?.number ?? 0) - rehearsal.t, 0))
            rehearsal.compare("before \(event["type"]?.string ?? "")")
            if !perform(event) { skipped += 1 }
            rehearsal.compare(event["type"]?.string ?? "")
        }
        if isFingerDown { move(.ended) }
        move(.idle)
        rehearsal.wait(9000)
        difference = rehearsal.difference
    }

    private func move(_ phase: ScrollPhase, cause: Cause = .finger) {
        rehearsal.move(
            HandSample(t: rehearsal.t, .offset(rehearsal.offset), phase: phase, cause: cause))
    }

    private mutating func perform(_ event: JSONValue) -> Bool {
        switch event["type"]?.string {
        case "dragBegin":
            rehearsal.followCommands()
            (isFingerDown, slides) = (true, false)
            move(.began)
        case "scroll":
            rehearsal.offset = trace.offset(event)
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
        case "refresh": say("refresh")
        case "loadMore": say("loadMore")
        case "stopRefresh": say("cancel")
        case "setContentSize":
            rehearsal.attach.content = trace.length(event)
            rehearsal.tellGeometry()
        case "setViewport", "setContentInset", "setSafeArea": tellSizes(event)
        case "enableRefresh": enable(rehearsal.attach.refreshEdge, event)
        case "enableLoadMore": enable(rehearsal.attach.loadMoreEdge, event)
        case "refreshFinish", "loadMoreFinish", "respond": answer(event)
        // These events concern flags and the control of UIKit, or paging, which the daemon does in
        // another way.
        default: return false
        }
        return true
    }

    private func say(_ type: String) {
        guard type != "loadMore" || rehearsal.local.picture.edges.count == 2 else { return }
        rehearsal.say(.object([.init("type", .string(type))]))
    }

    private func enable(_ edge: String, _ event: JSONValue) {
        guard rehearsal.local.picture.edges[edge] != nil else { return }
        rehearsal.say(
            .object([
                .init("type", .string("enable")), .init("edge", .string(edge)),
                .init("enabled", .bool(event["value"]?.bool ?? true)),
            ]))
    }

    private func tellSizes(_ event: JSONValue) {
        let names = ["setViewport": "viewport", "setContentInset": "insets"]
        guard case .object(let members) = event else { return }
        let sides = members.filter { !["t", "type"].contains($0.name) }
        let name = names[event["type"]?.string ?? ""] ?? "safeArea"
        rehearsal.say(
            .object([.init("type", .string("geometry")), .init(name, .object(sides))]))
    }

    private func answer(_ event: JSONValue) {
        let result = event["success"]?.bool ?? true ? "success" : "failed"
        for peer in [rehearsal.stream, rehearsal.local] {
            if let load = peer.loads.last { peer.answer(load.name, result) }
        }
    }
}
