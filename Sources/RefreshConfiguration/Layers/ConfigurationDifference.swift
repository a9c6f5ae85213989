internal import RefreshIndicator

/// One option in which a new configuration differs from the current one.
package struct ConfigurationDifference: Hashable, Sendable {
    /// The full key, as in `limits.sessionsMax`.
    package let name: String
    /// The old value without secrets; nil if the option was absent.
    package let old: String?
    /// The new value without secrets; nil if the option was removed.
    package let new: String?
    /// Whether the change takes effect only after a restart.
    package let needsRestart: Bool

    /// Returns the differences between two configurations, in the order of the file. After them
    /// come the removed options, and then the options that name a file with changed content.
    package static func between(
        _ old: LayeredConfiguration, _ new: LayeredConfiguration
    ) -> [ConfigurationDifference] {
        let before = byPath(old.listing)
        let after = byPath(new.listing)
        var differences: [ConfigurationDifference] = []
        func addDifference(_ old: ConfigurationEntry?, _ new: ConfigurationEntry?) {
            guard let path = (new ?? old)?.path, old?.value != new?.value else { return }
            // If two values differ only in secrets, their masked forms are equal.
            let looksTheSame = old?.logged == new?.logged
            differences.append(
                ConfigurationDifference(
                    name: path.joined(separator: "."), old: old?.logged,
                    new: looksTheSame ? "changed" : new?.logged, needsRestart: false))
        }
        for entry in new.listing.entries { addDifference(before[entry.path], entry) }
        for entry in old.listing.entries where after[entry.path] == nil {
            addDifference(entry, nil)
        }
        let hasTLSChanged = new.listing.has("tls") != old.listing.has("tls")
        return differences.filter { !$0.isSpellingOnly(old.configuration, new.configuration) }
            .map { $0.classified(tlsChanged: hasTLSChanged) }
            + programmes(old.configuration, new.configuration, besides: differences)
            + files(old.fileSums, new.fileSums, besides: differences)
    }

    private static func byPath(
        _ listing: ConfigurationListing
    ) -> [[String]: ConfigurationEntry] {
        Dictionary(listing.entries.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns whether the option has the same value in both configurations, and is only written in
    /// another way.
    private func isSpellingOnly(_ old: Configuration, _ new: Configuration) -> Bool {
        switch name {
        case "listen": old.listeners == new.listeners
        case "admin": old.adminListeners == new.adminListeners
        case "origins": old.origins == new.origins
        case "tokens": old.tokens == new.tokens
        case "journal": old.journalFolder == new.journalFolder
        case "journalOnRequest": old.requestedJournalFolder == new.requestedJournalFolder
        case "loops": old.loops == new.loops
        case "cluster.servers": old.cluster?.servers == new.cluster?.servers
        default: false
        }
    }

    /// Returns the indicators whose files have changed.
    private static func programmes(
        _ old: Configuration, _ new: Configuration, besides known: [ConfigurationDifference]
    ) -> [ConfigurationDifference] {
        new.indicators.compactMap { indicator in
            let name = "indicators.\(indicator.name)"
            guard let before = old.indicators.first(where: { $0.name == indicator.name }),
                before != indicator, !known.contains(where: { $0.name == name })
            else { return nil }
            return ConfigurationDifference(
                name: name, old: "the previous file", new: "the current file",
                needsRestart: false)
        }
    }

    /// Returns the key files and CA files that have changed. `old` and `new` are digests by option.
    private static func files(
        _ old: [String: FileSum], _ new: [String: FileSum], besides known: [ConfigurationDifference]
    ) -> [ConfigurationDifference] {
        new.keys.sorted().compactMap { option in
            guard let before = old[option], before != new[option],
                !known.contains(where: { option.hasPrefix($0.name) })
            else { return nil }
            // None of these changes requires a restart, because certificates and credentials are
            // renewed regularly, and a refused reload would affect all other options.
            let new =
                switch option {
                case "cluster.passwordFile": "the current file, after a restart"
                case _ where option.hasPrefix("cluster."):
                    "the current file, at the next connection"
                default: "the current file"
                }
            return ConfigurationDifference(
                name: option, old: "the previous file", new: new, needsRestart: false)
        }
    }

    // MARK: Options that need a restart

    /// The options, and the tables of options, whose change needs a restart. If `tls` is added or
    /// removed, this needs a restart too.
    static let fixed: Set<String> = Set(ConfigurationShape.keys.namesWithRestart)

    private func classified(tlsChanged: Bool) -> ConfigurationDifference {
        let isFixed = Self.fixed.contains { name == $0 || name.hasPrefix($0 + ".") }
        return ConfigurationDifference(
            name: name, old: old, new: new,
            needsRestart: isFixed || (tlsChanged && name.hasPrefix("tls.")))
    }
}

extension ConfigurationListing {
    /// Returns whether a flag, the environment or the file sets a key of `table`.
    fileprivate func has(_ table: String) -> Bool {
        entries.contains { $0.path.first == table && $0.origin != .standard }
    }
}
