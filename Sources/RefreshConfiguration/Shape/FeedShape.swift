/// The shapes of feeds and of entries of `backends` in the schema. Apart from the last shape of a
/// feed (`member`), each shape consists of the keys of one kind of backend.
enum FeedShape {
    /// The shapes of a feed: one for each kind, and one for a feed whose backend is an entry of
    /// `backends`.
    static let feeds: [SettingsShape] =
        BackendKind.allCases.map { kind in
            let keys = [FeedTable.source.shaped(.choice([kind.rawValue]))]
            return .table(keys + kind.table.ofFeed + kind.table.ofBackend)
        } + [member]

    /// The shapes of an entry of `backends`, one for each kind.
    static let backends: [SettingsShape] = BackendKind.allCases.map { kind in
        let keys = [FeedTable.kind.shaped(.choice([kind.rawValue]))]
        return .table(keys + kind.table.shared.dropFirst())
    }

    /// The shape of a feed whose backend is an entry of `backends`. It has the keys of all kinds,
    /// because a JSON Schema cannot look up the kind of the entry.
    private static var member: SettingsShape {
        let kinds = BackendKind.allCases.map(\.rawValue).joined(separator: "|")
        var source = FeedTable.source.shaped(
            .text(pattern: "^(?!(\(kinds))$)[A-Za-z0-9_.-]{1,64}$"))
        source.meaning = "the name of an entry of backends"
        var keys = [source]
        for kind in BackendKind.allCases {
            for key in kind.table.ofFeed where keys[key.name] == nil {
                // Every key is optional here, because the entry of `backends` may set a key that
                // the feed leaves out.
                var part = key.optional
                part.standard = nil
                keys.append(part)
            }
        }
        return .table(keys)
    }
}
