internal import RefreshBroker
internal import RefreshProtocol
internal import Yams

/// The section of one feed, or of one entry of `backends`. Its keys have been checked. Its values
/// have not been read yet.
struct FeedSection {
    /// The role of a section, which determines the keys that it may set.
    enum Role {
        /// A feed that does not share its backend: all keys.
        case alone
        /// A feed of an entry of `backends`. The entry sets the keys of the backend as a whole.
        case member
        /// An entry of `backends`. Its feeds may set the keys that it leaves out, except those of
        /// the backend as a whole.
        case shared
    }

    /// The feed's own entries, and the entries of its backend that the feed does not replace.
    let settings: SettingsMapping
    /// The node at which missing keys are reported.
    let node: Node
    let kind: BackendKind
    let role: Role
    let folder: ConfigurationFolder
    let limits: Limits

    /// Whether feeds may still replace and add keys.
    var isPart: Bool { role == .shared }

    /// Returns whether this section must set a key.
    func owns(_ name: String) -> Bool {
        switch role {
        case .alone: true
        case .member: !kind.backendKeys.contains(name)
        case .shared: kind.backendKeys.contains(name)
        }
    }
}

extension SettingsReader {
    /// Returns the value of a key that a feed must have.
    mutating func required(_ name: String, in section: FeedSection) -> Node? {
        if let value = section.settings[name] { return value }
        if section.owns(name) {
            report("`\(name)` is missing", key: section.settings.path, at: section.node)
        }
        return nil
    }

    /// Returns the path of a file that a feed must name, as written.
    mutating func requiredPath(_ name: String, in section: FeedSection) -> String? {
        guard let node = required(name, in: section),
            let path = string(node, key: section.settings.key(name))
        else { return nil }
        if ConfigurationFolder.isEscaped(by: path) {
            report(
                "a relative path must not leave the folder of this file",
                key: section.settings.key(name), at: node)
            return nil
        }
        return path
    }

    /// Returns the size limit of an answer.
    mutating func answerBytes(
        _ name: String, in section: FeedSection, standard: Int
    ) -> Int {
        let range = 1024...section.limits.backendResponseBytesMax
        return integer(name, in: section.settings, range) ?? min(standard, range.upperBound)
    }
}

/// The properties of a feed that its backend needs.
struct FeedInput {
    let name: String
    let paging: PagingStyle
    let first: Int
    let parameters: [FeedParameter]
    let forward: [String]
}

extension SettingsReader {
    /// Reports each key of a feed or of an entry of `backends` that is not in `known`, with the
    /// reason.
    ///
    /// `backend` is the entry of `backends` that the feed uses, if any.
    mutating func reportUnknown(
        in settings: SettingsMapping, of kind: BackendKind, known: [String], backend: String? = nil
    ) {
        for entry in settings.entries where !known.contains(entry.name) {
            let message =
                if let backend, kind.backendKeys.contains(entry.name) {
                    "applies to all feeds of the backend; set it in backends.\(backend)"
                } else {
                    Self.unknown(entry.name, of: kind, known: known)
                }
            report(message, key: entry.key, at: entry.keyNode)
        }
    }

    private static func unknown(_ name: String, of kind: BackendKind, known: [String]) -> String {
        let others = BackendKind.allCases.filter { $0 != kind && $0.keys.contains(name) }
        if !others.isEmpty, name != "backend" {
            let kinds = others.map(\.rawValue).joined(separator: ", ")
            return "not a key of \(kind.rawValue), but of \(kinds)"
        }
        let hint =
            SpellingSuggestion.suggestion(for: name, among: known).map { "did you mean `\($0)`?" }
            ?? "known keys: \(known.joined(separator: ", "))"
        return "unknown key; \(hint)"
    }
}

extension SettingsReader {
    /// Returns `options` if `check` accepts them, or reports the error at its key. For an entry of
    /// `backends`, the check runs only if `evenOfPart` is true. Otherwise the check runs for each
    /// of its feeds.
    mutating func checked<Options>(
        _ options: Options, in section: FeedSection, evenOfPart: Bool = false,
        _ check: (Options) throws(BackendConfigurationError) -> Void
    ) -> Options? {
        guard !section.isPart || evenOfPart else { return options }
        do throws(BackendConfigurationError) {
            try check(options)
            return options
        } catch {
            report(error, in: section)
            return nil
        }
    }

    /// Reports a backend's error at the key's value, or at the feed if the key is missing.
    mutating func report(_ error: BackendConfigurationError, in section: FeedSection) {
        let name = String(error.key.prefix { $0 != "." && $0 != "[" })
        let key = section.settings.key(name) + error.key.dropFirst(name.count)
        report(error.message, key: key, at: section.settings[name] ?? section.node)
    }
}
