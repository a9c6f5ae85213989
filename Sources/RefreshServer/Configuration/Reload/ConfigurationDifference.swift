/// One option in which a configuration differs from the one that holds.
package struct ConfigurationDifference: Hashable, Sendable {
    /// As in `limits.sessionsMax`.
    package let name: String
    /// Without secrets; nil: it was not there.
    package let old: String?
    /// Without secrets; nil: it is gone.
    package let new: String?
    /// Whether it cannot change while the daemon runs.
    package let needsRestart: Bool

    /// The differences between two configurations, in the order of the file; those that are gone
    /// last.
    package static func between(
        _ old: LayeredConfiguration, _ new: LayeredConfiguration
    ) -> [ConfigurationDifference] {
        let before = byPath(old.listing)
        let after = byPath(new.listing)
        var differences: [ConfigurationDifference] = []
        func note(_ old: ConfigurationEntry?, _ new: ConfigurationEntry?) {
            guard let path = (new ?? old)?.path, old?.value != new?.value else { return }
            // What differs in its secrets alone would look the same.
            let looksTheSame = old?.logged == new?.logged
            differences.append(
                ConfigurationDifference(
                    name: path.joined(separator: "."), old: old?.logged,
                    new: looksTheSame ? "changed" : new?.logged, needsRestart: false))
        }
        for entry in new.listing.entries { note(before[entry.path], entry) }
        for entry in old.listing.entries where after[entry.path] == nil { note(entry, nil) }
        let hasTLSChanged = new.listing.has("tls") != old.listing.has("tls")
        return differences.filter { !$0.isOnlyWritten(old.configuration, new.configuration) }
            .map { $0.judged(tlsChanged: hasTLSChanged) }
            + programmes(old.configuration, new.configuration, besides: differences)
            + files(old.fileSums, new.fileSums, besides: differences)
    }

    private static func byPath(
        _ listing: ConfigurationListing
    ) -> [[String]: ConfigurationEntry] {
        Dictionary(listing.entries.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Whether it says the same in other words.
    private func isOnlyWritten(_ old: Configuration, _ new: Configuration) -> Bool {
        switch name {
        case "listen": old.listeners == new.listeners
        case "admin": old.adminListeners == new.adminListeners
        case "origins": old.origins == new.origins
        case "tokens": old.tokens == new.tokens
        case "journal": old.journalFolder == new.journalFolder
        case "journalOnRequest": old.requestedJournalFolder == new.requestedJournalFolder
        case "loops": old.loops == new.loops
        default: false
        }
    }

    /// Indicators whose files hold something else than before.
    private static func programmes(
        _ old: Configuration, _ new: Configuration, besides known: [ConfigurationDifference]
    ) -> [ConfigurationDifference] {
        new.indicators.compactMap { indicator in
            let name = "indicators.\(indicator.name)"
            guard let before = old.indicators.first(where: { $0.name == indicator.name }),
                before != indicator, !known.contains(where: { $0.name == name })
            else { return nil }
            return ConfigurationDifference(
                name: name, old: "the file as it was", new: "the file as it is",
                needsRestart: false)
        }
    }

    /// Files of keys and authorities that hold something else than before; `sums` are by option.
    private static func files(
        _ old: [String: FileSum], _ new: [String: FileSum], besides known: [ConfigurationDifference]
    ) -> [ConfigurationDifference] {
        new.keys.sorted().compactMap { option in
            guard let before = old[option], before != new[option],
                !known.contains(where: { option.hasPrefix($0.name) })
            else { return nil }
            return ConfigurationDifference(
                name: option, old: "the file as it was", new: "the file as it is",
                needsRestart: false)
        }
    }

    // MARK: What needs a restart

    /// Source: docs/operations.md, "Reload".
    static let fixed: Set<String> = [
        "listen", "admin", "loops", "demo", "journal", "journalOnRequest", "log.format",
        "resume.stateFolder",
        "resume.snapshots",
        "limits.loadsInFlightMax", "limits.cacheBytesMax", "limits.echoBytesMax",
        "limits.workersMax",
    ]

    private func judged(tlsChanged: Bool) -> ConfigurationDifference {
        ConfigurationDifference(
            name: name, old: old, new: new,
            needsRestart: Self.fixed.contains(name) || (tlsChanged && name.hasPrefix("tls.")))
    }
}

extension ConfigurationListing {
    /// Whether somebody says anything in that table.
    fileprivate func has(_ table: String) -> Bool {
        entries.contains { $0.path.first == table && $0.origin != .standard }
    }
}
