import Conformance
import RefreshProtocol
import ScenarioKit

/// Mistakes that are visible only in the numbers of paths, control laws, clocks and pages.
extension ServerMistake {
    static let numbers: [ServerMistake] = [
        changed("sends an empty path beside a curve", in: .insets, types: "update") {
            if $0[at: "offset.curve"] != nil { $0[at: "offset.path"] = .array([]) }
        },
        changed(
            "ends a path at an offset that is wrong by 5 points", in: .physics, by: "physics-18",
            types: "update"
        ) {
            guard var path = $0[at: "offset.path"]?.array,
                let last = path.popLast()?.array, let end = last.last?.number
            else { return }
            $0[at: "offset.path"] = .array(path + [.array([last[0], .number(end + 5)])])
        },
        changed(
            "sends only the first and the last point of a path", in: .physics, by: "physics-19",
            types: "update"
        ) {
            guard let path = $0[at: "offset.path"]?.array, let first = path.first,
                let last = path.last
            else { return }
            $0[at: "offset.path"] = .array([first, last])
        },
        changed(
            "sends control laws with an empty interest", in: .indicators, by: "indicators-19",
            types: "attached", "update"
        ) {
            if $0[at: "law.interest"] != nil { $0[at: "law.interest"] = .array([]) }
        },
        changed(
            "sends control laws with a coarse resistance", in: .physics, by: "physics-20",
            types: "attached", "update"
        ) {
            guard $0[at: "law.resistance.top"] != nil else { return }
            $0[at: "law.resistance.top"] = .array([
                .array([.number(0), .number(0)]), .array([.number(100), .number(10)]),
            ])
        },
        changed(
            "omits the offset at which a pull is disarmed", in: .indicators, by: "indicators-18",
            types: "attached", "update"
        ) { $0[at: "law.top.disarm"] = nil },
        changed(
            "omits the lead of the load-more edge", in: .indicators, by: "indicators-20",
            types: "attached", "update"
        ) { $0[at: "law.bottom.lead"] = nil },
        ServerMistake(
            "has a clock that does not advance", in: .session, by: "session-38",
            sentChange: { message, memory in
                guard message.isA("pong") else { return [message] }
                let first = memory.values["time"] ?? message["time"]
                memory.values["time"] = first
                return [message.with { $0["time"] = first }]
            }),
        changed("sends the time of pong in seconds", in: .session, by: "session-38", types: "pong")
        {
            $0["time"] = $0["time"]?.number.map { .number($0 / 1000) }
        },
        changed(
            "sends the same time in every welcome", in: .session, by: "session-39", types: "welcome"
        ) { $0["time"] = .number(1000) },
        changed(
            "always reports the same time of the last refresh", in: .pull, by: "pull-54",
            types: "update"
        ) { if $0["lastUpdated"]?.number != nil { $0["lastUpdated"] = .number(1000) } },
        changed(
            "reports a time of the last refresh that is in the future", in: .pull, by: "pull-54",
            types: "update"
        ) {
            $0["lastUpdated"] = $0["lastUpdated"]?.number.map { .number($0 + 1_000_000) }
        },
        changed(
            "sends commands whose start is always 1", in: .ordering, by: "ordering-12",
            types: "update"
        ) {
            for command in ["inset.start", "offset.start"] where $0[at: command] != nil {
                $0[at: command] = .number(1)
            }
        },
        changed(
            "always reports that there are more items", in: .paging, by: "paging-24", types: "items"
        ) {
            $0["more"] = .bool(true)
        },
        changed(
            "reports the offset of every page as 0", in: .paging, by: "paging-22", types: "items"
        ) {
            $0["offset"] = .number(0)
        },
        changed(
            "reports the trigger of every load as manual in loading", in: .paging, by: "paging-23",
            types: "loading"
        ) {
            if $0["trigger"] != nil { $0["trigger"] = .string("manual") }
        },
        changed(
            "reports the cause of every load as code in loading", in: .paging, by: "paging-23",
            types: "loading"
        ) {
            if $0["cause"] != nil { $0["cause"] = .string("code") }
        },
    ]
}
