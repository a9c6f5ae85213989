internal import RefreshBroker
internal import RefreshProtocol

/// Reads the key `edits` of a feed: the edits of its items that clients may send. Source:
/// docs/backends.md, "Edits".
enum EditsReader {
    /// Returns the operations that clients may send. For an entry of `backends`, the `itemKey` may
    /// be set by the feeds that use it.
    static func operations(
        _ section: FeedSection, itemKey: JSONPointer?, with reader: inout SettingsReader
    ) -> Set<ItemOperation.Kind> {
        guard let edits = reader.table("edits", in: section.settings) else { return [] }
        if itemKey == nil, !section.isPart, section.settings["itemKey"] == nil {
            reader.report("a feed with edits needs an `itemKey`", key: edits.path, at: edits.node)
        }
        if section.kind != .http, let url = edits["url"] {
            reader.report(
                "not a key of \(section.kind.rawValue), but of http",
                key: edits.key("url"), at: url)
        }
        return Set(reader.choices("operations", in: edits))
    }

    /// Returns the URL to which an `http` backend sends edits; nil if the feed accepts none.
    static func url(_ settings: SettingsMapping, with reader: inout SettingsReader) -> String? {
        guard let edits = reader.table("edits", in: settings) else { return nil }
        if edits["url"] == nil {
            reader.report("`url` is missing", key: edits.path, at: edits.node)
        }
        return reader.string("url", in: edits)
    }
}
