internal import RefreshProtocol

/// Reads `tokens` of a configuration file. Source: docs/configuration.md, "tokens".
struct TokenReader {
    /// The names of the feeds that the file describes.
    let feeds: [String]

    func tokens(
        _ top: SettingsMapping, with reader: inout SettingsReader
    ) -> [AccessTokenSettings] {
        reader.tables("tokens", in: top, read: token) { token, others in
            if others.contains(where: { $0.name == token.name }) {
                return ("name", "`\(token.name)` occurs twice")
            }
            return others.contains { $0.sha256 == token.sha256 }
                ? ("sha256", "another token has the same hash") : nil
        }
    }

    private func token(
        _ settings: SettingsMapping, with reader: inout SettingsReader
    ) -> AccessTokenSettings? {
        let name = name(settings, with: &reader)
        let hash = hash(settings, with: &reader)
        let may: [AccessTokenSettings.Permission] = reader.choices("may", in: settings)
        let feeds = reader.texts("feeds", in: settings) { feed in
            self.feeds.contains(feed) ? nil : "there is no such feed\(hint(feed))"
        }
        guard let name, let hash, !may.isEmpty else { return nil }
        let unbound: [AccessTokenSettings.Permission] = [.administer, .measure]
        if feeds != nil, let deed = unbound.first(where: { may.contains($0) }) {
            reader.report(
                "a token that may `\(deed.rawValue)` cannot be limited to feeds",
                key: settings.key("feeds"),
                at: settings["feeds"] ?? settings.node)
        }
        return AccessTokenSettings(name: name, sha256: hash, may: Set(may), feeds: feeds)
    }

    private func hint(_ feed: String) -> String {
        SpellingSuggestion.suggestion(for: feed, among: feeds).map { "; did you mean `\($0)`?" }
            ?? ""
    }

    private func name(
        _ settings: SettingsMapping, with reader: inout SettingsReader
    ) -> String? {
        guard let node = settings["name"], let name = reader.string("name", in: settings)
        else { return nil }
        if ConfiguredName.isValid(name) { return name }
        reader.report(ConfiguredName.rule, key: settings.key("name"), at: node)
        return nil
    }

    private func hash(
        _ settings: SettingsMapping, with reader: inout SettingsReader
    ) -> [UInt8]? {
        guard let node = settings["sha256"], let text = reader.string("sha256", in: settings)
        else { return nil }
        if let bytes = Self.bytes(hexadecimal: text), bytes.count == 32 { return bytes }
        // The message does not repeat the text, because the text may be the token itself.
        reader.report(
            "a SHA-256 is 64 hexadecimal digits; `printf %s TOKEN | sha256sum` computes it",
            key: settings.key("sha256"), at: node)
        return nil
    }

    private static func bytes(hexadecimal text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digit(digits[index]), let low = digit(digits[index + 1])
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
