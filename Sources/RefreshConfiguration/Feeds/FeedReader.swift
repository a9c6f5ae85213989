internal import RefreshBroker
internal import RefreshProtocol
internal import Yams

/// Reads `backends` and `feeds` of a configuration file.
///
/// An entry of `backends` is read twice: once on its own, so that problems are reported even if no
/// feed uses it, and once as a part of each feed. A repeated problem is reported once.
struct FeedReader {
    private struct Named {
        let kind: BackendKind
        /// The settings of the entry without `kind`.
        let settings: SettingsMapping
    }

    private let folder: ConfigurationFolder
    private let limits: Limits
    private var named: [String: Named] = [:]
    /// The backend policies by group.
    private(set) var policies: [String: BackendPolicy] = [:]

    /// The names of all feeds, including invalid feeds.
    private(set) var names: [String] = []

    init(folder: ConfigurationFolder, limits: Limits) {
        self.folder = folder
        self.limits = limits
    }

    // MARK: backends

    /// Reads `backends`, whose entries the feeds can name.
    mutating func readBackends(_ node: Node, with reader: inout SettingsReader) {
        guard let backends = reader.mapping(node, key: "backends") else { return }
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
        guard let all = reader.mapping(entry.value, key: entry.key) else { return }
        guard let kindNode = all["kind"] else {
            reader.report("`kind` is missing", key: entry.key, at: entry.keyNode)
            return
        }
        guard
            let kind = reader.choice(kindNode, key: all.key("kind"), among: BackendKind.allCases)
        else { return }
        reader.reportUnknown(
            in: all, of: kind, known: ["kind"] + kind.keys.filter { $0 != "backend" })
        let section = section(all.without("kind"), of: kind, at: entry.keyNode, .shared)
        named[entry.name] = Named(kind: kind, settings: section.settings)
        policies[entry.name] = BackendPolicyReader.policy(section.settings, with: &reader)
        _ = feed(entry.name, group: entry.name, section, with: &reader)
    }

    // MARK: feeds

    /// Reads `feeds`, in their order.
    mutating func feeds(_ node: Node, with reader: inout SettingsReader) -> [FeedSettings] {
        guard let feeds = reader.mapping(node, key: "feeds") else { return [] }
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
        guard let all = reader.mapping(entry.value, key: entry.key) else { return nil }
        guard let backend = all["backend"] else {
            reader.report("`backend` is missing", key: entry.key, at: entry.keyNode)
            return nil
        }
        guard let name = reader.string(backend, key: all.key("backend")) else { return nil }
        if let kind = BackendKind(rawValue: name) {
            return ownFeed(entry, all, kind, with: &reader)
        }
        guard let shared = named[name] else {
            reportBackend(name, key: all.key("backend"), at: backend, with: &reader)
            return nil
        }
        reader.reportUnknown(
            in: all, of: shared.kind, known: shared.kind.feedKeys, backend: name)
        let settings = all.without("backend").completed(by: shared.settings)
        return feed(
            entry.name, group: name, section(settings, of: shared.kind, at: entry.keyNode, .member),
            with: &reader)
    }

    /// Reads a feed that does not share its backend.
    private mutating func ownFeed(
        _ entry: SettingsMapping.Entry, _ all: SettingsMapping, _ kind: BackendKind,
        with reader: inout SettingsReader
    ) -> FeedSettings? {
        reader.reportUnknown(in: all, of: kind, known: kind.keys)
        if named[entry.name] != nil {
            reader.report(
                "backends.\(entry.name) has this name; a feed that does not use it needs another",
                key: entry.key, at: entry.keyNode)
        }
        policies[entry.name] = BackendPolicyReader.policy(all, with: &reader)
        return feed(
            entry.name, group: entry.name,
            section(all.without("backend"), of: kind, at: entry.keyNode, .alone), with: &reader)
    }

    private func section(
        _ settings: SettingsMapping, of kind: BackendKind, at node: Node, _ role: FeedSection.Role
    ) -> FeedSection {
        FeedSection(
            settings: settings, node: node, kind: kind, role: role, folder: folder, limits: limits)
    }

    private func reportBackend(
        _ name: String, key: String, at node: Node, with reader: inout SettingsReader
    ) {
        let known = BackendKind.allCases.map(\.rawValue) + named.keys.sorted()
        let hint = SpellingSuggestion.suggestion(for: name, among: known).map {
            "; did you mean `\($0)`?"
        }
        reader.report(
            "there is no backend `\(name)`\(hint ?? "; known: \(known.joined(separator: ", "))")",
            key: key, at: node)
    }

    // MARK: one feed

    private func feed(
        _ name: String, group: String, _ section: FeedSection, with reader: inout SettingsReader
    ) -> FeedSettings? {
        let kind = section.kind
        let problems = reader.problems.count
        let paging = paging(kind, section, with: &reader)
        let first = reader.integer("first", in: section.settings, 0...1)
        let size = reader.integer("size", in: section.settings, 1...limits.pageSizeMax)
        let policy = FeedPolicyReader.policy(section, with: &reader)
        let parameters = ClientInputReader.parameters(section, with: &reader)
        let forward = ClientInputReader.forward(section, with: &reader)
        let feed = FeedInput(
            name: name, paging: paging ?? .page,
            first: first ?? FeedSettings.standardFirst(paging ?? .page), parameters: parameters,
            forward: forward)
        let backend = BackendReader.backend(kind, section, of: feed, with: &reader)
        guard !section.isPart, reader.problems.count == problems, let paging, let backend
        else { return nil }
        var result = FeedSettings(
            name: name, group: group, backend: backend, paging: paging, first: first,
            size: size ?? min(FeedSettings.standardSize(kind), limits.pageSizeMax))
        result.parameters = parameters
        result.forward = forward
        result.policy = policy
        result.location = reader.location(of: section.node)
        return result
    }

    private func paging(
        _ kind: BackendKind, _ section: FeedSection, with reader: inout SettingsReader
    ) -> PagingStyle? {
        if kind == .demo { return FeedSettings.demo.paging }
        guard let node = reader.required("paging", in: section) else { return nil }
        return reader.choice(node, key: section.settings.key("paging"), among: kind.pagingStyles)
    }
}
