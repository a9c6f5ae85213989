internal import RefreshBroker
internal import RefreshProtocol
internal import Yams

/// Reads `backends` and `feeds` of a configuration file.
///
/// An entry of `backends` is first read on its own, so that its problems are reported even if no
/// feed uses it. It is then read again as a part of each feed that uses it. A problem that is found
/// several times is reported once.
struct FeedReader {
    private struct Named {
        let kind: BackendKind
        let settings: SettingsMapping
    }

    private let folder: ConfigurationFolder
    private let limits: Limits
    private var named: [String: Named] = [:]
    /// The backend policies by group (`FeedSettings.group`).
    private(set) var policies: [String: BackendPolicy] = [:]

    /// The names of all feeds, including invalid feeds.
    private(set) var names: [String] = []

    init(folder: ConfigurationFolder, limits: Limits) {
        self.folder = folder
        self.limits = limits
    }

    // MARK: backends

    /// Reads `backends`, whose entries the feeds can name.
    mutating func readBackends(_ top: SettingsMapping, with reader: inout SettingsReader) {
        guard let backends = reader.named("backends", in: top) else { return }
        for entry in backends.entries {
            if !ConfiguredName.isValid(entry.name) {
                reader.report(ConfiguredName.rule, key: entry.key, at: entry.keyNode)
            } else if BackendKind(rawValue: entry.name) != nil {
                reader.report("the name is already in use", key: entry.key, at: entry.keyNode)
            } else {
                readBackend(entry, with: &reader)
            }
        }
    }

    private mutating func readBackend(
        _ entry: SettingsMapping.Entry, with reader: inout SettingsReader
    ) {
        guard var all = reader.mapping(entry.value, key: entry.key, at: entry.keyNode)
        else { return }
        all.table = [FeedTable.kind]
        guard let kind: BackendKind = reader.choice("kind", in: all) else { return }
        all.table = kind.table.shared
        reader.reportUnknown(in: all, of: kind)
        named[entry.name] = Named(kind: kind, settings: all)
        policies[entry.name] = PolicyReader.backendPolicy(all, with: &reader)
        let section = section(all, of: kind, isPart: true)
        _ = feed(entry.name, group: entry.name, section, with: &reader)
    }

    // MARK: feeds

    /// Reads the entries of `feeds`, in the order of the file.
    mutating func feeds(
        _ top: SettingsMapping, with reader: inout SettingsReader
    ) -> [FeedSettings] {
        guard let feeds = reader.named("feeds", in: top) else { return [] }
        var result: [FeedSettings] = []
        for entry in feeds.entries {
            guard ConfiguredName.isValid(entry.name) else {
                reader.report(ConfiguredName.rule, key: entry.key, at: entry.keyNode)
                continue
            }
            names.append(entry.name)
            if let feed = feed(entry, with: &reader) { result.append(feed) }
        }
        return result
    }

    private mutating func feed(
        _ entry: SettingsMapping.Entry, with reader: inout SettingsReader
    ) -> FeedSettings? {
        guard var all = reader.mapping(entry.value, key: entry.key, at: entry.keyNode)
        else { return nil }
        all.table = [FeedTable.source]
        guard let name = reader.string("backend", in: all) else { return nil }
        if let kind = BackendKind(rawValue: name) {
            return ownFeed(entry, all, kind, with: &reader)
        }
        guard let shared = named[name] else {
            reportBackend(name, in: all, with: &reader)
            return nil
        }
        all.table = shared.kind.table.member
        reader.reportUnknown(in: all, of: shared.kind, backend: name)
        all.complete(by: shared.settings, table: shared.kind.table.completed)
        return feed(
            entry.name, group: name, section(all, of: shared.kind, isPart: false), with: &reader)
    }

    /// Reads a feed that does not share its backend.
    private mutating func ownFeed(
        _ entry: SettingsMapping.Entry, _ all: SettingsMapping, _ kind: BackendKind,
        with reader: inout SettingsReader
    ) -> FeedSettings? {
        var all = all
        all.table = kind.table.standalone
        reader.reportUnknown(in: all, of: kind)
        if named[entry.name] != nil {
            reader.report(
                "backends.\(entry.name) has the same name; rename the feed, or use that backend: "
                    + "`backend: \(entry.name)`",
                key: entry.key, at: entry.keyNode)
        }
        policies[entry.name] = PolicyReader.backendPolicy(all, with: &reader)
        return feed(
            entry.name, group: entry.name, section(all, of: kind, isPart: false), with: &reader)
    }

    private func section(
        _ settings: SettingsMapping, of kind: BackendKind, isPart: Bool
    ) -> FeedSection {
        FeedSection(
            settings: settings, kind: kind, isPart: isPart, folder: folder, limits: limits)
    }

    private func reportBackend(
        _ name: String, in settings: SettingsMapping, with reader: inout SettingsReader
    ) {
        let known = BackendKind.allCases.map(\.rawValue) + named.keys.sorted()
        let hint = SpellingSuggestion.suggestion(for: name, among: known).map {
            "; did you mean `\($0)`?"
        }
        reader.report(
            "there is no backend `\(name)`\(hint ?? "; known: \(known.joined(separator: ", "))")",
            key: settings.key("backend"), at: settings["backend"] ?? settings.node)
    }

    // MARK: one feed

    private func feed(
        _ name: String, group: String, _ section: FeedSection, with reader: inout SettingsReader
    ) -> FeedSettings? {
        let settings = section.settings
        let problems = reader.problems.count
        let paging: PagingStyle? =
            section.kind == .demo ? FeedSettings.demo.paging : reader.choice("paging", in: settings)
        // A `demo` feed must not have the key `first`. If it has this key, the key has already been
        // reported as unknown. The value of the key is checked nevertheless.
        let first = reader.integer(FeedTable.first, in: settings)
        let size = reader.integer("size", in: settings, atMost: limits.pageSizeMax)
        var policy = PolicyReader.feedPolicy(settings, with: &reader)
        policy.edits = EditsReader.operations(section, itemKey: policy.itemKey, with: &reader)
        let sectionKey = reader.pointer("sectionKey", in: settings)
        let debounceMs = reader.integer("debounceMs", in: settings)
        let parameters = ClientInputReader.parameters(section, with: &reader)
        let forward = ClientInputReader.forward(section, with: &reader)
        policy.forwardsHeaders = !forward.isEmpty
        let feed = FeedInput(
            name: name, paging: paging ?? .page,
            first: first ?? FeedSettings.standardFirst(paging ?? .page), parameters: parameters,
            forward: forward)
        let backend = BackendReader.backend(section, of: feed, with: &reader)
        guard !section.isPart, reader.problems.count == problems, let paging, let backend
        else { return nil }
        var result = FeedSettings(
            name: name, group: group, backend: backend, paging: paging, first: first,
            size: size ?? min(FeedSettings.standardSize(section.kind), limits.pageSizeMax))
        result.parameters = parameters
        result.forward = forward
        result.policy = policy
        result.sectionKey = sectionKey
        result.debounceMs = debounceMs ?? result.debounceMs
        result.location = reader.location(of: settings.node)
        return result
    }
}
