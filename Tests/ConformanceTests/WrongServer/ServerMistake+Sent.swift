import Conformance
import RefreshProtocol

/// Mistakes in the messages of a server.
extension ServerMistake {
    static let sentMistakes: [ServerMistake] = [
        changed(
            "acknowledges each message with a number that is one too low", in: .batching, .ordering,
            types: "update"
        ) {
            $0["ack"] = $0["ack"]?.number.map { .number(max(0, $0 - 1)) }
        },
        changed("does not send acknowledgements", in: .ordering, types: "update") {
            $0["ack"] = nil
        },
        edges("sends a progress that is too high by half", in: .ordering) {
            $0["progress"] = $0["progress"]?.number.map { .number($0 * 1.5) }
        },
        edges("sends progress in percent", in: .pull) {
            $0["progress"] = $0["progress"]?.number.map { .number($0 * 100) }
        },
        edges("sends no result when a refresh ends", in: .pull) { $0["result"] = nil },
        edges("reports a timeout as a failure", in: .pull) {
            if $0["result"]?.string == "timedOut" { $0["result"] = .string("failed") }
        },
        edges("reports a refusal as a cancellation", in: .pull) {
            if $0["result"]?.string == "refused" { $0["result"] = .string("cancelled") }
        },
        edges("reports every cause as code", in: .pull) {
            if $0["cause"] != nil { $0["cause"] = .string("code") }
        },
        edges("does not show the state succeeded", in: .pull, .ordering) {
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
        edges("omits an option in attached", in: .session) { $0["hysteresis"] = nil },
        changed("does not set the inset back to 0", in: .insets, types: "update") {
            if $0[at: "inset.top"]?.number == 0 { $0["inset"] = nil }
        },
        ServerMistake(
            "sends the inset as a difference from the previous inset", in: .insets,
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
        changed("sends offsets with the wrong sign", in: .geometry, types: "update") {
            $0[at: "offset.to"] = $0[at: "offset.to"]?.number.map { .number(-$0) }
        },
        changed("sends durations in seconds", in: .insets, types: "update") {
            $0[at: "inset.duration"] = $0[at: "inset.duration"]?.number.map { .number($0 / 1000) }
        },
        changed("moves the list with every inset", in: .insets, types: "update") {
            guard $0["inset"] != nil, $0["offset"] == nil else { return }
            $0["offset"] = .object([.init("to", .number(0)), .init("duration", .number(0))])
        },
        changed("omits the path of an offset command", in: .physics, types: "update") {
            $0[at: "offset.path"] = nil
        },
        ServerMistake(
            "sends no diagnostics about what it ignores", in: .session,
            sentChange: { message, _ in
                message["type"]?.string == "diagnostic" ? [] : [message]
            }),
        changed("suggests no name in diagnostics", in: .session, types: "diagnostic") {
            $0["suggestion"] = nil
        },
        changed("omits the path of a field in diagnostics", in: .session, types: "diagnostic") {
            $0["field"] = $0["field"]?.string?.split(separator: ".").last.map {
                .string(String($0))
            }
        },
        ServerMistake(
            "sends items twice", in: .ordering,
            sentChange: { message, _ in message.isA("items") ? [message, message] : [message] }),
        changed("repeats the items within a page", in: .paging, types: "items") {
            $0["items"] = $0["items"]?.array.map { .array($0 + $0) }
        },
        changed("replaces the list with every page", in: .paging, types: "items") {
            $0["mode"] = .string("replace")
        },
        changed("reports one item too many in the list", in: .paging, types: "update") {
            $0[at: "list.count"] = $0[at: "list.count"]?.number.map { .number($0 + 1) }
        },
        changed("never reports that the list has more items", in: .paging, types: "update") {
            $0[at: "list.more"] = .bool(false)
        },
        changed("does not report when the list was updated", in: .paging, types: "update") {
            $0["lastUpdated"] = nil
        },
        changed("requests page 1 in every load", in: .paging, types: "load") {
            $0["page"] = .number(1)
        },
        changed("does not count the attempts of a load", in: .loadMore, types: "load") {
            $0["attempt"] = .number(1)
        },
        changed("reports the trigger of every load as manual", in: .loadMore, types: "load") {
            $0["trigger"] = .string("manual")
        },
        ServerMistake(
            "requests every load twice", in: .ordering, .pull,
            sentChange: { message, _ in message.isA("load") ? [message, message] : [message] }),
        changed("sends faults without a code", in: .faults, types: "error") { $0["code"] = nil },
        changed("sends faults without the field", in: .faults, types: "error") {
            $0["field"] = nil
        },
        changed("reports every fault as temporary", in: .faults, types: "error") {
            $0["temporary"] = .bool(true)
        },
        ServerMistake(
            "sends no faults", in: .faults,
            sentChange: { message, _ in message.isA("error") ? [] : [message] }),
        changed("uses other texts for faults", in: .faults, types: "error") {
            $0["message"] = .string("Oops.")
        }.with { $0.isHarmless = true },
        ServerMistake(
            "does not answer bye", in: .session,
            sentChange: { message, _ in message.isA("bye") ? [] : [message] }),
        changed("sends no time in pong", in: .session, types: "pong") { $0["time"] = nil },
        changed("sends no limits", in: .limits, types: "welcome") {
            $0["limits"] = .object([])
        },
        ServerMistake(
            "repeats a state that has not changed", in: .ordering,
            sentChange: { message, memory in
                guard message.isA("update") else { return [message] }
                if let state = message[at: "top.state"] { memory.values["state"] = state }
                return [
                    message.with {
                        if $0["top"] != nil { $0[at: "top.state"] = memory.values["state"] }
                    }
                ]
            }),
        changed("sends every haptic cue twice", in: .indicators, types: "update") {
            $0["haptic"] = $0["haptic"]?.array.map { .array($0 + $0) }
        },
        changed("does not announce failures", in: .indicators, types: "update") {
            $0["announce"] = $0["announce"]?.array.map {
                .array($0.filter { $0.string != "refreshFailed" })
            }
        },
        changed(
            "sends a field that docs/protocol.md does not name", in: .session, types: "attached"
        ) {
            $0["mood"] = .string("fine")
        }.with { $0.isHarmless = true },
        changed("omits the inset of a new view", in: .insets, types: "attached") {
            $0["inset"] = nil
        },
        ServerMistake("answers a batch with one frame for each message", in: .batching).with {
            $0.framing = .apart
        },
        ServerMistake("reverses the order of the messages in a frame", in: .ordering).with {
            $0.framing = .backwards
        },
        ServerMistake("sends updates after later ones", in: .ordering).with { $0.framing = .late },
        ServerMistake("never closes a connection", in: .session).with { $0.forgetsCloses = true },
        ServerMistake("closes connections without a code", in: .session).with {
            $0.forgetsCodes = true
        },
    ]

    /// The mistake of a server that changes its messages of these types.
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

    /// The mistake of a server that changes the edges in `attached` and `update`.
    static func edges(
        _ name: String, in groups: ConformanceGroup...,
        change: @escaping @Sendable (inout JSONValue) -> Void
    ) -> ServerMistake {
        ServerMistake(name, in: .session) { message, _ in
            [message.isA("update", "attached") ? message.withEdges(change) : message]
        }.with { $0.groups = groups }
    }
}
