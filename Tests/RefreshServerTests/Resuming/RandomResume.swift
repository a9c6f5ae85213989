import RefreshBroker
import RefreshProtocol
import SessionBench

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// Random events of a session with two views. One view has a feed. The client itself loads the
/// items of the other view.
/// The same seed gives the same events, with or without a lost connection.
struct RandomResume {
    /// One event and its time.
    enum Step {
        /// The client sends this message, to which a sequence number is added.
        case send(String)
        /// The client answers one of its own loads.
        case answerOwn
        case event(LoadEvent)
        case changed
        case pass(Double)
    }

    let steps: [Step]
    /// During these steps, the client sends nothing. In the interrupted run, it also has no
    /// connection.
    let gap: Range<Int>
    let frames: String
    /// The loops that the client connects to.
    let loops: [Int]

    init(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let count = Int.random(in: 20...60, using: &random)
        var steps = (0..<count).map { _ in Self.step(&random) }
        let start = Int.random(in: 0..<count, using: &random)
        gap = start..<min(count, start + Int.random(in: 0...6, using: &random))
        for index in gap {
            switch steps[index] {
            case .send, .answerOwn: steps[index] = .pass(50)
            case .event, .changed, .pass: break
            }
        }
        self.steps = steps + [.pass(6000), .pass(6000)]
        frames = ["plain", "local", "stream"].randomElement(using: &random) ?? "plain"
        loops = [Int.random(in: 0...1, using: &random), Int.random(in: 0...1, using: &random)]
    }

    private static func step(_ random: inout SeededRandom) -> Step {
        let view = ["list", "own"].randomElement(using: &random) ?? "list"
        let offset = Double(Int.random(in: -400...400, using: &random)) / 2
        let phase =
            ["began", "dragging", "dragging", "ended", "decelerating", "idle", "cancelled"]
            .randomElement(using: &random) ?? "idle"
        let edge = ["top", "bottom"].randomElement(using: &random) ?? "top"
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<5:
            return .send(
                #""type":"scroll","view":"\#(view)","offset":\#(offset),"phase":"\#(phase)""#)
        case 5:
            return .send(#""type":"pan","view":"own","translation":\#(offset),"phase":"\#(phase)""#)
        case 6: return .send(#""type":"refresh","view":"\#(view)","cause":"key""#)
        case 7: return .send(#""type":"loadMore","view":"\#(view)""#)
        case 8:
            let type = ["begin", "end", "cancel", "retry", "reset"].randomElement(using: &random)
            return .send(#""type":"\#(type ?? "end")","view":"\#(view)""#)
        case 9:
            return .send(
                #""type":"geometry","view":"\#(view)","content":{"width":390,"height":\#(offset.magnitude * 20)}"#
            )
        case 10:
            return .send(
                #""type":"enable","view":"\#(view)","edge":"\#(edge)","enabled":\#(offset > -50)"#)
        case 11:
            return .send(
                #""type":"configure","view":"\#(view)","top":{"length":\#(offset.magnitude + 30)}"#)
        case 12: return .answerOwn
        case 13, 14:
            return .event(.ended(.page(HostFixture.page(3, first: Int(offset.magnitude)))))
        case 15: return .event(.ended(.failed(LoadFailure(.backendFailed, "It failed."))))
        case 16: return .changed
        case 17: return .pass(8000)
        default: return .pass(offset.magnitude)
        }
    }

    /// Returns the client's state at the end. `isInterrupted` states whether the client has no
    /// connection during the steps of `gap`.
    func run(isInterrupted: Bool) -> (client: ThinClient, fixture: HostFixture, refusal: String?) {
        var limits = Limits()
        limits.faultBudgetMax = 100_000
        let fixture = HostFixture(limits: limits)
        var client = ThinClient()
        var peer = fixture.connect(to: loops[0])
        let views = [
            HostClient.view("list", profile: "default"),
            HostClient.view("own", feed: nil, profile: "default"),
        ]
        var messages = peer.send(
            #"{"type":"hello","protocol":1,"frames":"\#(frames)","views":[\#(views.joined(separator: ","))]}"#
        )
        client.apply(messages)
        let welcome = messages[0]
        var refusal: String?
        for (index, step) in steps.enumerated() {
            if isInterrupted, index == gap.lowerBound { peer.hangUp() }
            if isInterrupted, index == gap.upperBound {
                peer = fixture.connect(to: loops[1])
                messages = peer.resume(welcome, received: client.received, frames: frames)
                refusal = messages.first?["reason"]?.string
                client.apply(messages)
            }
            perform(step, seq: index + 1, by: peer, client: &client, in: fixture)
            if !isInterrupted || !gap.contains(index) { client.apply(peer.receive()) }
        }
        return (client, fixture, refusal)
    }

    private func perform(
        _ step: Step, seq: Int, by peer: HostClient, client: inout ThinClient,
        in fixture: HostFixture
    ) {
        switch step {
        case .send(let text): peer.feed(#"{"seq":\#(seq),\#(text)}"#)
        case .answerOwn:
            guard let load = client.removeOwnLoad() else { return }
            peer.feed(
                #"{"seq":\#(seq),"type":"loadFinished","view":"own","load":"\#(load)","result":"success","count":10}"#
            )
        case .event(let event):
            if let (ticket, _) = fixture.dispatcher.started.last(where: {
                !fixture.dispatcher.cancelled.contains($0.0)
            }) {
                fixture.report(event, of: ticket)
            }
        case .changed:
            fixture.directory.feedChanged(FeedChange("songs"))
        case .pass(let time): fixture.pass(milliseconds: time)
        }
        fixture.settle()
    }
}
