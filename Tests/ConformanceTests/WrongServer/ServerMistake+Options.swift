import Conformance
import RefreshProtocol
import ScenarioKit

/// Options that a server confirms but does not apply.
extension ServerMistake {
    static let options: [ServerMistake] = [
        unheeded("slop", .number(10), by: "pull-49"),
        unheeded("slop", .number(0), by: "pull-49"),
        unheeded("seesCode", nil, by: "pull-50"),
        unheeded("seesCode", .bool(true), by: "pull-50"),
        unheeded("pullsAgain", nil, by: "pull-51"),
        unheeded("pullsAgain", .bool(false), by: "pull-51"),
        unheeded("failureHold", nil, by: "pull-52"),
        unheeded("failureHold", .number(0), by: "pull-52"),
        unheeded("step", .number(300), by: "pull-53"),
        unheeded("step", .number(1650), by: "pull-53"),
        unheeded("floating", nil, by: "insets-13"),
        unheeded("floating", .bool(true), by: "insets-13"),
        unheeded("backOffMax", nil, by: "loadMore-29"),
        unheeded("asksAgain", nil, by: "loadMore-49"),
        unheeded("asksAgain", .bool(false), by: "loadMore-49"),
        unheeded("attention", nil, by: "loadMore-30"),
        unheeded("attention", .string("movement"), by: "loadMore-30"),
    ]

    /// The mistake of a server that confirms an option of edges or of the view and does not apply
    /// it. The server uses the value of the profile instead, or always `instead`.
    private static func unheeded(
        _ option: String, _ instead: JSONValue?, by subject: String
    ) -> ServerMistake {
        ServerMistake(
            "does not apply the option \(option)"
                + (instead.map { ", but always uses \($0.text)" } ?? ""),
            in: .session, by: subject,
            sentChange: { message, memory in
                guard message.isA("attached"), let view = message["view"]?.string else {
                    return [message]
                }
                return [
                    message.with { attached in
                        for place in places where attached[at: place + option] != nil {
                            guard let given = memory.values["\(view) \(place)"] else { continue }
                            attached[at: place + option] = given
                        }
                    }
                ]
            },
            receivedChange: { message, memory in
                guard message.isA("attach"), let view = message["view"]?.string else {
                    return [message]
                }
                return [
                    message.with { attach in
                        for place in places {
                            guard let given = attach[at: place + option] else { continue }
                            memory.values["\(view) \(place)"] = given
                            attach[at: place + option] = instead
                        }
                    }
                ]
            })
    }

    /// The places of options: in the view itself and in its edges.
    private static let places = [""] + JSONValue.edges.map { $0 + "." }
}
