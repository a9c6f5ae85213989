import RefreshBroker
import RefreshEngine
import RefreshProtocol

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// Random events of a session: frames, answers of backends, and the passage of time.
struct RandomConversation {
    enum Fact {
        case frame(String)
        case ended(LoadTicket, LoadOutcome)
        case wake
    }

    private var random: SeededRandom
    private var seq: UInt64 = 0
    private var views = 0
    private var nextItem = 0

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func hello() -> String {
        let mode = random.pick(["plain", "stream", "local"])
        return """
            {"type":"hello","protocol":1,"frames":{"mode":"\(mode)","language":"de"},"snapshots":true,
             "headers":{"Accept-Language":"de","X-Other":"x"}}
            """
    }

    /// Returns the milliseconds until the next event.
    mutating func pause() -> Double { random.pick([0, 0, 1, 16, 16, 100, 400, 3000]) }

    mutating func next(in fixture: ConversationFixture) -> Fact {
        let ids = fixture.conversation.views.map(\.id.description)
        let pending = fixture.pending
        if !pending.isEmpty, random.chance(25) {
            return .ended(random.pick(pending), outcome())
        }
        if random.chance(15) { return .wake }
        guard let id = ids.isEmpty ? nil : random.pick(ids), ids.count > 2 || !random.chance(8)
        else { return .frame(attach()) }
        return .frame(message(of: id))
    }

    private mutating func outcome() -> LoadOutcome {
        if random.chance(15) { return .failed(LoadFailure(.backendFailed, "no")) }
        // Some of these items were already sent.
        let start = max(0, nextItem - random.below(6))
        nextItem = start + random.below(12)
        return ConversationFixture.page(
            start..<nextItem, more: random.chance(80), cursor: "c\(nextItem)")
    }

    private mutating func attach() -> String {
        seq += 1
        views += 1
        let feed = random.pick([
            #","feed":"songs","parameters":{"q":"\#(random.below(100))"}"#, #","feed":"mails""#, "",
        ])
        let profile = random.pick(Profile.allCases.map(\.rawValue))
        let indicator = random.pick(["", #","top":{"indicator":null}"#])
        return """
            {"type":"attach","seq":\(seq),"view":"v\(views)","profile":"\(profile)"\(feed)\(indicator),
             "geometry":{"viewport":{"width":390,"height":800},"content":{"width":390,"height":3000}}}
            """
    }

    private mutating func message(of id: String) -> String {
        seq += 1
        let head = #""view":"\#(id)","seq":\#(seq)"#
        switch random.below(14) {
        case 0: return #"{"type":"refresh",\#(head)}"#
        case 1: return #"{"type":"loadMore",\#(head)}"#
        case 2: return #"{"type":"cancel",\#(head)}"#
        case 3: return #"{"type":"retry",\#(head)}"#
        case 4: return #"{"type":"reset",\#(head)}"#
        case 5:
            let height = 400 + random.below(5000)
            return #"{"type":"geometry",\#(head),"content":{"width":390,"height":\#(height)}}"#
        case 6:
            return random.chance(20)
                ? #"{"type":"detach",\#(head)}"# : #"{"type":"appear",\#(head)}"#
        case 7:
            let way = Double(random.below(400)) / 3
            let phase = random.pick(["began", "dragging", "ended"])
            return
                #"{"type":"pan",\#(head),"translation":\#(way),"velocity":\#(way * 9),"phase":"\#(phase)"}"#
        default:
            let offset = random.chance(50) ? -random.below(150) : random.below(2400)
            let phase = random.pick(["began", "dragging", "dragging", "ended", "idle"])
            return #"{"type":"scroll",\#(head),"offset":\#(offset),"phase":"\#(phase)"}"#
        }
    }
}

/// Random choices with a seeded generator.
extension SeededRandom {
    mutating func below(_ bound: Int) -> Int { Int(truncatingIfNeeded: next() % UInt64(bound)) }
    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
    mutating func pick<T>(_ values: [T]) -> T { values[below(values.count)] }
}
