import Conformance
import RefreshProtocol

/// Mistakes in the messages of a server.
extension ServerMistake {
    static let sentMistakes: [ServerMistake] = [
        changed("acknowledges the message before", in: .batching, .ordering, types: "update") {
            $0["ack"] = $0["ack"]?.number.map { .number(max(0, $0 - 1)) }
        },
        changed("does not acknowledge", in: .ordering, types: "update") { $0["ack"] = nil },
        edges("tells progress beyond its bounds", in: .ordering) {
            $0["progress"] = $0["progress"]?.number.map { .number($0 * 1.5) }
        },
        edges("tells progress in percent", in: .pull) {
            $0["progress"] = $0["progress"]?.number.map { .number($0 * 100) }
        },
        edges("tells a result with no end", in: .pull) { $0["result"] = nil },
        edges("calls a time-out a failure", in: .pull) {
            if $0["result"]?.string == "timedOut" { $0["result"] = .string("failed") }
        },
        edges("calls a refusal a cancellation", in: .pull) {
            if $0["result"]?.string == "refused" { $0["result"] = .string("cancelled") }
        },
        edges("knows no other cause than code", in: .pull) {
            if $0["cause"] != nil { $0["cause"] = .string("code") }
        },
        edges("has no hold for successes", in: .pull, .ordering) {
            if $0["state"]?.string == "succeeded" { $0["state"] = .string("idle") }
        },
        ServerMistake(
            "does not arm an edge with a second floor", in: .pull, by: "pull-44",
            sentChange: { message, _ in
                [
                    message.with {
                        guard $0[at: "top.state"]?.string == "eligible" else { return }
                        $0[at: "top.state"] = .string("pulling")
                    }
                ]
            }),
        edges("leaves options out of attached", in: .session) { $0["hysteresis"] = nil },
        changed("does not return the inset", in: .insets, types: "update") {
            if $0[at: "inset.top"]?.number == 0 { $0["inset"] = nil }
        },
        ServerMistake(
            "tells the inset as a difference", in: .insets,
            sentChange: { message, memory in
                [
                    message.with {
                        guard let top = $0[at: "inset.top"]?.number else { return }
                        let last = memory.values["top"]?.number ?? 0
                        memory.values["top"] = .number(top)
                        $0[at: "inset.top"] = .number(top - last)
                    }
                ]
            }),
        changed("takes an offset for a distance", in: .geometry, types: "update") {
            $0[at: "offset.to"] = $0[at: "offset.to"]?.number.map { .number(-$0) }
        },
        changed("tells durations in seconds", in: .insets, types: "update") {
            $0[at: "inset.duration"] = $0[at: "inset.duration"]?.number.map { .number($0 / 1000) }
        },
        changed("moves a list that is elsewhere", in: .insets, types: "update") {
            guard $0["inset"] != nil, $0["offset"] == nil else { return }
            $0["offset"] = .object([.init("to", .number(0)), .init("duration", .number(0))])
        },
        changed("ends a throw without its way", in: .physics, types: "update") {
            $0[at: "offset.path"] = nil
        },
        ServerMistake(
            "says nothing of what it ignores", in: .session,
            sentChange: { message, _ in
                message["type"]?.string == "diagnostic" ? [] : [message]
            }),
        changed("suggests no name", in: .session, types: "diagnostic") { $0["suggestion"] = nil },
        changed("tells a name without its path", in: .session, types: "diagnostic") {
            $0["field"] = $0["field"]?.string?.split(separator: ".").last.map {
                .string(String($0))
            }
        },
        ServerMistake(
            "sends items twice", in: .ordering,
            sentChange: { message, _ in message.isA("items") ? [message, message] : [message] }),
        changed("doubles items within a page", in: .paging, types: "items") {
            $0["items"] = $0["items"]?.array.map { .array($0 + $0) }
        },
        changed("replaces the list by every page", in: .paging, types: "items") {
            $0["mode"] = .string("replace")
        },
        changed("counts one item too many", in: .paging, types: "update") {
            $0[at: "list.count"] = $0[at: "list.count"]?.number.map { .number($0 + 1) }
        },
        changed("never has more", in: .paging, types: "update") {
            $0[at: "list.more"] = .bool(false)
        },
        changed("forgets when it was updated", in: .paging, types: "update") {
            $0["lastUpdated"] = nil
        },
        changed("asks for the first page always", in: .paging, types: "load") {
            $0["page"] = .number(1)
        },
        changed("does not count attempts", in: .loadMore, types: "load") {
            $0["attempt"] = .number(1)
        },
        changed("calls every load manual", in: .loadMore, types: "load") {
            $0["trigger"] = .string("manual")
        },
        ServerMistake(
            "asks for every load twice", in: .ordering, .pull,
            sentChange: { message, _ in message.isA("load") ? [message, message] : [message] }),
        changed("tells faults without a code", in: .faults, types: "error") { $0["code"] = nil },
        changed("tells faults without their field", in: .faults, types: "error") {
            $0["field"] = nil
        },
        changed("calls every fault temporary", in: .faults, types: "error") {
            $0["temporary"] = .bool(true)
        },
        ServerMistake(
            "passes over what it does not understand", in: .faults,
            sentChange: { message, _ in message.isA("error") ? [] : [message] }),
        changed("uses words of its own for faults", in: .faults, types: "error") {
            $0["message"] = .string("Oops.")
        }.with { $0.isHarmless = true },
        ServerMistake(
            "says bye without a word", in: .session,
            sentChange: { message, _ in message.isA("bye") ? [] : [message] }),
        changed("does not say what time it is", in: .session, types: "pong") { $0["time"] = nil },
        changed("keeps its limits to itself", in: .limits, types: "welcome") {
            $0["limits"] = .object([])
        },
        ServerMistake(
            "repeats what has not changed", in: .ordering,
            sentChange: { message, memory in
                guard message.isA("update") else { return [message] }
                if let state = message[at: "top.state"] { memory.values["state"] = state }
                return [
                    message.with {
                        if $0["top"] != nil { $0[at: "top.state"] = memory.values["state"] }
                    }
                ]
            }),
        changed("ticks twice", in: .indicators, types: "update") {
            $0["haptic"] = $0["haptic"]?.array.map { .array($0 + $0) }
        },
        changed("does not announce failures", in: .indicators, types: "update") {
            $0["announce"] = $0["announce"]?.array.map {
                .array($0.filter { $0.string != "refreshFailed" })
            }
        },
        changed("says more than the page names", in: .session, types: "attached") {
            $0["mood"] = .string("fine")
        }.with { $0.isHarmless = true },
        changed("says nothing of the room of a new view", in: .insets, types: "attached") {
            $0["inset"] = nil
        },
        ServerMistake("answers a batch in a frame each", in: .batching).with {
            $0.framing = .apart
        },
        ServerMistake("turns a frame round", in: .ordering).with { $0.framing = .backwards },
        ServerMistake("tells states out of order", in: .ordering).with { $0.framing = .late },
        ServerMistake("never closes", in: .session).with { $0.forgetsCloses = true },
        ServerMistake("closes without a code", in: .session).with { $0.forgetsCodes = true },
    ]

    /// A message of this type is changed.
    static func changed(
        _ name: String, in groups: ConformanceGroup..., by cases: String..., types: String...,
        change: @escaping @Sendable (inout JSONValue) -> Void
    ) -> ServerMistake {
        ServerMistake(name, in: .session) { message, _ in
            let isMeant = message["type"]?.string.map { types.contains($0) } ?? false
            return [isMeant ? message.with(change) : message]
        }.with {
            $0.groups = groups
            $0.cases = cases
        }
    }

    /// The edges in `attached` and `update` are changed.
    static func edges(
        _ name: String, in groups: ConformanceGroup...,
        change: @escaping @Sendable (inout JSONValue) -> Void
    ) -> ServerMistake {
        ServerMistake(name, in: .session) { message, _ in
            [message.isA("update", "attached") ? message.withEdges(change) : message]
        }.with { $0.groups = groups }
    }
}
