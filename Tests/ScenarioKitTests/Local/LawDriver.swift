import NodeScript
import RefreshBroker
import RefreshProtocol
import Testing
import Workbench

@testable import RefreshSession
@testable import ScenarioKit

/// Moves one finger in the same way on the lists of a stream client and a local client, and later
/// replays the motion to the web client. The list is vertical, has no insets, and its viewport is
/// 800 points high. The client itself is the backend and does not answer.
final class LawDriver {
    private let playback: LawPreviewPlayback
    private let timeline = LawTimeline()
    var stream: LawPeer { playback.stream }
    var local: LawPeer { playback.local }

    init(
        _ profile: String, content: Double, offset: Double? = nil, isReversed: Bool = false,
        latency: Double = 0, _ options: [JSONValue.Member] = []
    ) {
        var random = SeededRandom(seed: 1)
        var attach = RandomAttach(&random, pans: false)
        attach.isMirrored = isReversed
        attach.isRightToLeft = false
        attach.isHorizontal = false
        (attach.start, attach.end) = (0, 0)
        (attach.viewport, attach.content) = (800, content)
        attach.members = [
            .init("view", .string("list")), .init("profile", .string(profile)),
            .init("reversed", .bool(isReversed)), .init("geometry", attach.geometry),
        ]
        if let offset { attach.members.append(.init("offset", .number(offset))) }
        attach.members += options
        playback = LawPreviewPlayback(attach, latency: latency, timeline: timeline)
    }

    func move(
        _ offset: Double, _ phase: ScrollPhase, at t: Double, restingSince: Double? = nil,
        cause: Cause = .finger
    ) {
        if let restingSince { playback.pass(restingSince - playback.t) }
        move(.offset(offset), phase, at: t, cause: cause)
    }

    func pan(_ travel: Double, _ phase: ScrollPhase, at t: Double) {
        move(.travel(travel), phase, at: t)
    }

    private func move(
        _ position: HandSample.Position, _ phase: ScrollPhase, at t: Double,
        cause: Cause = .finger
    ) {
        playback.pass(t - playback.t)
        playback.compare("before \(phase)")
        playback.move(HandSample(t: t, position, phase: phase, cause: cause))
        playback.compare("\(phase) at \(t)")
    }

    func sendCommand(_ type: String) {
        playback.send(.object([.init("type", .string(type))]))
        playback.compare(type)
    }

    func answer(_ load: String, _ result: String, at t: Double) {
        playback.pass(t - playback.t)
        for peer in [stream, local] { peer.answer(load, result) }
        playback.compare("answer")
    }

    func send(content: Double) {
        playback.attach.content = content
        playback.sendGeometry()
        playback.compare("geometry")
    }

    /// Requires that both clients have shown the same in each frame, without a misprediction.
    /// Requires that the web client has sent and shown the same as the local client.
    func expectAgreement(at location: SourceLocation = #_sourceLocation) throws {
        #expect(playback.difference == nil, sourceLocation: location)
        #expect(local.metrics.snapshot.mispredictions == 0, sourceLocation: location)
        try expectWebClientAgrees(at: location)
    }

    /// Requires that the web client sends and shows the same as the local client.
    func expectWebClientAgrees(at location: SourceLocation = #_sourceLocation) throws {
        let lines = [LawTimeline.beginning] + timeline.steps.map(\.line.text)
        let answers = try NodeScript("drive.mjs").run(lines)
        try #require(answers.count == timeline.steps.count, sourceLocation: location)
        let difference = LawTimelineComparison.difference(timeline.steps, answers)
        #expect(difference == nil, sourceLocation: location)
    }

    /// Advances the time. Both clients show a frame.
    func wait(until t: Double) {
        playback.pass(t - playback.t)
        playback.compare("at \(t)")
    }
}
