internal import Yams

/// The effective configuration: one entry for each value. The entries are in the order of the keys
/// in `ConfigurationShape`.
package struct ConfigurationListing: Hashable, Sendable {
    package private(set) var entries: [ConfigurationEntry] = []
    /// Notes about settings that a configuration file cannot contain, such as some command-line
    /// flags.
    package private(set) var notes: [String] = []

    init(
        of configuration: Configuration, tree: SettingsTree, flags: ConfigurationFlags
    ) {
        var lister = Lister(
            tree: tree, flags: Self.values(of: flags),
            standards: EffectiveValues(of: configuration).byPath)
        lister.list(ConfigurationShape.keys, of: tree.root, at: [])
        entries = lister.entries
        notes = Self.notes(configuration, flags)
    }

    private static func notes(
        _ configuration: Configuration, _ flags: ConfigurationFlags
    ) -> [String] {
        var notes: [String] = []
        if configuration.loops == nil { notes.append("loops: one per core  # default") }
        if let cluster = configuration.cluster, cluster.node == nil {
            notes.append("cluster.node: \(cluster.nodeName)  # default")
        }
        if flags.servesEcho { notes.append("--conformance-echo  # flag") }
        let origin = flags.packageStatusFile == nil ? "default" : "flag"
        if configuration.servesDemo {
            notes.append("--dpkg-status \(configuration.packageStatusFile)  # \(origin)")
        }
        if let folder = flags.stateFolder, folder == configuration.resume.stateFolder {
            notes.append("STATE_DIRECTORY \(folder)  # environment")
        }
        return notes
    }

    /// Returns the values that command-line flags set, by the path of the configuration key.
    private static func values(of flags: ConfigurationFlags) -> [[String]: String] {
        var values: [[String]: String] = [:]
        if !flags.listeners.isEmpty {
            let texts = flags.listeners.map { YAMLText.quoted($0.description) }
            values[["listen"]] = "[" + texts.joined(separator: ", ") + "]"
        }
        if !flags.adminListeners.isEmpty {
            let texts = flags.adminListeners.map { YAMLText.quoted($0.description) }
            values[["admin"]] = "[" + texts.joined(separator: ", ") + "]"
        }
        values[["loops"]] = flags.loops.map(String.init)
        if flags.demo { values[["demo"]] = "true" }
        values[["journal"]] = flags.journal.map {
            YAMLText.quoted(ConfigurationFolder(ofFile: "").absolute($0))
        }
        values[["log", "level"]] = flags.logLevel?.rawValue
        values[["log", "format"]] = flags.logFormat?.rawValue
        return values
    }

    // MARK: Text

    /// Returns the configuration as YAML. If `masks` is true, the secrets are masked. If it is
    /// false, the text is a configuration file with the same settings.
    package func text(masks: Bool = true) -> String {
        var lines = notes.map { "# \($0)" }
        var open: [String] = []
        for entry in entries {
            let tables = entry.path.dropLast()
            let common = zip(open, tables).prefix { $0 == $1 }.count
            for depth in common..<tables.count {
                lines.append(Self.indent(depth) + YAMLText.quotedIfNeeded(tables[depth]) + ":")
            }
            open = Array(tables)
            lines.append(
                Self.indent(tables.count) + YAMLText.quotedIfNeeded(entry.path.last ?? "") + ": "
                    + (masks ? entry.shown : entry.value) + "  # \(entry.origin.rawValue)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func indent(_ depth: Int) -> String { String(repeating: "  ", count: depth) }
}

/// Lists the value of each key, in the order of the keys in `ConfigurationShape`.
private struct Lister {
    let tree: SettingsTree
    let flags: [[String]: String]
    let standards: [[String]: String]
    var entries: [ConfigurationEntry] = []

    init(tree: SettingsTree, flags: [[String]: String], standards: [[String]: String]) {
        self.tree = tree
        self.flags = flags
        self.standards = standards
    }

    mutating func list(_ keys: [SettingsKey], of node: Node?, at path: [String]) {
        for key in keys { list(key, Self.value(key.name, in: node), at: path + [key.name]) }
    }

    private mutating func list(_ key: SettingsKey, _ node: Node?, at path: [String]) {
        if let flag = flags[path] {
            entries.append(
                ConfigurationEntry(
                    path: path, value: flag, shown: flag, logged: flag, origin: .flag))
        } else if case .table(let keys) = key.shape {
            list(keys, of: node, at: path)
        } else if path == ["feeds"] || path == ["backends"] {
            listSections(of: node, at: path)
        } else if case .named = key.shape, case .mapping(let mapping)? = node, path.count == 1 {
            for (name, value) in mapping {
                let path = path + [name.scalar?.string ?? ""]
                add(SettingsKey("", .json), value, at: path)
            }
            if mapping.isEmpty, let node { add(key, node, at: path) }
        } else if let node {
            add(key, node, at: path)
        } else if let standard = standards[path] {
            entries.append(
                ConfigurationEntry(
                    path: path, value: standard, shown: standard, logged: standard,
                    origin: .standard))
        }
    }

    private mutating func add(_ key: SettingsKey, _ node: Node, at path: [String]) {
        let name = path.joined(separator: ".")
        entries.append(
            ConfigurationEntry(
                path: path,
                value: YAMLText.of(node, key.shape, secrecy: key.secrecy, for: .daemon),
                shown: YAMLText.of(node, key.shape, secrecy: key.secrecy, for: .print),
                logged: YAMLText.of(node, key.shape, secrecy: key.secrecy, for: .log),
                origin: tree.variables[name] == nil ? .file : .environment))
    }

    // MARK: Feeds and backends

    /// Lists feeds or backends. Values that a feed inherits from its backend are listed only with
    /// the backend.
    private mutating func listSections(of node: Node?, at path: [String]) {
        guard case .mapping(let sections)? = node else { return }
        if sections.isEmpty, let node { add(SettingsKey("", .json), node, at: path) }
        for (name, section) in sections {
            guard let name = name.scalar?.string else { continue }
            let path = path + [name]
            if let kind = Self.kind(Self.value("kind", in: section)) {
                list(kind.table.shared, of: section, at: path)
            } else if let kind = Self.kind(Self.value("backend", in: section)) {
                list(kind.table.standalone, of: section, at: path)
            } else {
                listMember(section, at: path)
            }
        }
    }

    private mutating func listMember(_ section: Node, at path: [String]) {
        let name = Self.value("backend", in: section)?.scalar?.string ?? ""
        let backend = Self.value(name, in: Self.value("backends", in: tree.root))
        guard let kind = Self.kind(Self.value("kind", in: backend)) else { return }
        for key in kind.table.member {
            let own = Self.value(key.name, in: section)
            if own == nil, Self.value(key.name, in: backend) != nil { continue }
            list(key, own, at: path + [key.name])
        }
    }

    private static func kind(_ node: Node?) -> BackendKind? {
        (node?.scalar?.string).flatMap(BackendKind.init(rawValue:))
    }

    private static func value(_ name: String, in node: Node?) -> Node? {
        guard case .mapping(let mapping)? = node else { return nil }
        return mapping.first { $0.key.scalar?.string == name }?.value
    }
}

/// One value of the effective configuration, with its origin.
package struct ConfigurationEntry: Hashable, Sendable {
    package enum Origin: String, CaseIterable, Sendable {
        case flag, environment, file
        case standard = "default"
    }

    /// The keys from the top of the file to the value.
    package let path: [String]
    /// The value as YAML on one line, including secrets. It must not be shown.
    package let value: String
    /// The value without secrets, for the printed configuration.
    package let shown: String
    /// The value for logs, which more people can read than the printed configuration.
    package let logged: String
    package let origin: Origin

    /// The full key, as messages show it.
    package var name: String { path.joined(separator: ".") }
}
