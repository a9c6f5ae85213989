import RefreshProtocol

/// The profiles as Markdown tables for docs/protocol.md.
package enum ProfileTables {
    /// Every option of the refresh edge, by profile.
    package static var refresh: String {
        table(
            RefreshOptions.entries.map { entry in
                (entry.field.wireName, { entry.value(in: $0.refresh) })
            } + [(OptionField.floor.wireName, { $0.refresh.floorValue })])
    }

    /// Every option of the load-more edge, by profile.
    package static var loadMore: String {
        table(
            LoadMoreOptions.entries.map { entry in
                (entry.field.wireName, { entry.value(in: $0.loadMore) })
            })
    }

    /// The options of the whole view, by profile.
    package static var view: String {
        table(
            [
                (Field.attention.wireName, { .keyword($0.attention.rawValue) }),
                (Field.haptics.wireName, { .flag($0.playsHaptics) }),
                (Field.announcements.wireName, { .flag($0.announces) }),
            ]
                + PanOptions.entries.map { entry in
                    ("pan.\(entry.field.wireName)", { entry.value(in: $0.pan) })
                })
    }

    private static func table(
        _ rows: [(name: String, value: (Profile) -> OptionValue)]
    ) -> String {
        RegistryTables.table(
            ["option"] + Profile.allCases.map { "`\($0.rawValue)`" },
            rows.map { row in
                ["`\(row.name)`"] + Profile.allCases.map { text(row.value($0)) }
            })
    }

    private static func text(_ value: OptionValue) -> String {
        switch value {
        case .keyword(let word): return word
        case .intents(.all): return "all"
        case .intents(.allButInertia): return "all but fling"
        case .none, .flag, .number, .intents, .floor:
            var out = ByteBuffer()
            value.write(to: &out)
            return String(decoding: out.bytes, as: UTF8.self)
        }
    }
}
