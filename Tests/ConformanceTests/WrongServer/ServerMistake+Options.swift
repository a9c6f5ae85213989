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
        unheeded("depth", nil, by: "paging-32"),
        unheeded("depth", nil, by: "paging-33").with { $0.name += ", of a feed" },
        unheeded("depth", .string("keep"), by: "paging-37"),
        changed("does not number the pages of a load", in: .paging, by: "paging-34", types: "load")
        {
            $0["pages"] = nil
        },
        changed("does not number the pages of items", in: .paging, by: "paging-33", types: "items")
        {
            $0["pages"] = nil
        },
        changed(
            "empties a list that could not be refreshed", in: .paging, by: "paging-34",
            types: "update"
        ) {
            guard $0[at: "top.result"]?.string == "failed" else { return }
            $0["list"] = .object([
                .init("count", .number(0)), .init("more", .bool(true)),
            ])
        },
        changed("grants depth to every client", in: .paging, by: "paging-36", types: "attached") {
            $0[at: "top.depth"] = .string("keep")
        },
        unheeded("attention", nil, by: "loadMore-30"),
        unheeded("attention", .string("movement"), by: "loadMore-30"),
    ]

    /// The mistake of a server that confirms an option of edges or of the view but does not apply
    /// it. The server uses the value `instead`, or the profile's value if `instead` is nil.
    static func unheeded(
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

    /// The beginnings of the paths of options: of the view itself, and of each edge.
    private static let places = [""] + JSONValue.edges.map { $0 + "." }
}
