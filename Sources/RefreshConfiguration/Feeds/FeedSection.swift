internal import RefreshBackends
internal import RefreshBroker
internal import RefreshProtocol
internal import Yams

/// The section of one feed, or of one entry of `backends`. The keys of the section have been
/// checked, but its values have not been read yet.
struct FeedSection {
    /// The feed's own entries, and the entries of its backend that the feed does not replace.
    let settings: SettingsMapping
    let kind: BackendKind
    /// Whether the section is an entry of `backends`. The feeds that use the entry may add keys and
    /// replace values.
    let isPart: Bool
    let folder: ConfigurationFolder
    let limits: Limits
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
    /// Reports each unknown key of a feed or of an entry of `backends`, with the reason. A key is
    /// unknown if it is not in `settings.table`.
    ///
    /// `backend` is the name of the entry of `backends` that the feed uses, if any.
    mutating func reportUnknown(
        in settings: SettingsMapping, of kind: BackendKind, backend: String? = nil
    ) {
        reportUnknown(in: settings) { name in
            if let backend, kind.table.ofBackend[name] != nil {
                return "applies to all feeds of the backend; set it in backends.\(backend)"
            }
            let others = BackendKind.allCases.filter { $0 != kind && $0.table.has(name) }
            guard !others.isEmpty else { return nil }
            let kinds = others.map(\.rawValue).joined(separator: ", ")
            return "not a key of \(kind.rawValue), but of \(kinds)"
        }
    }

    /// Returns the path of a file, as written in the configuration.
    mutating func path(_ name: String, in settings: SettingsMapping) -> String? {
        guard let node = value(name, in: settings), let path = string(name, in: settings)
        else { return nil }
        if ConfigurationFolder.isEscaped(by: path) {
            report(
                "a relative path must not leave the folder of this file",
                key: settings.key(name), at: node)
            return nil
        }
        return path
    }

    /// Returns the size limit for a backend's answer, in bytes. `standard` is the default.
    mutating func answerBytes(
        _ name: String, in section: FeedSection, standard: Int
    ) -> Int {
        let bound = section.limits.backendResponseBytesMax
        return integer(name, in: section.settings, atMost: bound) ?? min(standard, bound)
    }

    /// Returns `options` if `check` accepts them. Otherwise reports the error at the invalid value,
    /// and returns nil. For an entry of `backends`, the check runs only if `evenOfPart` is true. If
    /// `evenOfPart` is false, the check runs only for the feeds that use the entry.
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

    /// Reports an error in the settings of a backend. The reported place is the invalid value or,
    /// if its key is missing, the whole section.
    mutating func report(_ error: BackendConfigurationError, in section: FeedSection) {
        let name = String(error.key.prefix { $0 != "." && $0 != "[" })
        let key = section.settings.key(name) + error.key.dropFirst(name.count)
        report(error.message, key: key, at: section.settings[name] ?? section.settings.node)
    }
}
