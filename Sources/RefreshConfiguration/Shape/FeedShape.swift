internal import RefreshBroker
internal import RefreshProtocol

/// The shapes of feeds and of entries of `backends`, made of the keys of each kind. Source:
/// docs/backends.md.
enum FeedShape {
    /// The shapes of a feed: one for each kind, and one for a feed whose backend is an entry of
    /// `backends`.
    static let feeds: [SettingsShape] = BackendKind.allCases.map(standalone(_:)) + [member]

    /// Returns the shape of a feed of this kind that does not share its backend.
    static func standalone(_ kind: BackendKind) -> SettingsShape {
        .table(
            kind.keys.map { name in
                name == "backend"
                    ? SettingsKey(
                        name, .choice([kind.rawValue]), isRequired: true,
                        meaning: meaning(of: name, kind))
                    : key(name, of: kind, isPart: false)
            })
    }

    /// Returns the shape of an entry of `backends`. Feeds may set the keys that it leaves out,
    /// except those of the backend as a whole.
    static func backend(_ kind: BackendKind) -> SettingsShape {
        let keys = kind.keys.filter { $0 != "backend" }
        return .table(
            [
                SettingsKey(
                    "kind", .choice([kind.rawValue]), isRequired: true,
                    meaning: "the kind of the backend")
            ]
                + keys.map { key($0, of: kind, isPart: !kind.backendKeys.contains($0)) })
    }

    /// The shape of a feed whose backend is an entry of `backends`. It has the keys of all kinds,
    /// because only the reader can find the kind of the entry.
    private static var member: SettingsShape {
        let kinds = BackendKind.allCases.map(\.rawValue).joined(separator: "|")
        var keys = [
            SettingsKey(
                "backend", .text(pattern: "^(?!(\(kinds))$)[A-Za-z0-9_.-]{1,64}$"),
                isRequired: true, meaning: "the name of an entry of backends")
        ]
        for kind in BackendKind.allCases {
            for name in kind.feedKeys where !keys.contains(where: { $0.name == name }) {
                var part = key(name, of: kind, isPart: true)
                // The backend may set a key that the feed leaves out.
                part.standard = nil
                keys.append(part)
            }
        }
        return .table(keys)
    }

    /// Returns the keys of a section of this kind that has already been read.
    static func keys(of kind: BackendKind, isMember: Bool) -> [SettingsKey] {
        (isMember ? kind.feedKeys : kind.keys).map {
            $0 == "backend"
                ? SettingsKey($0, .text(), isRequired: true) : key($0, of: kind, isPart: true)
        }
    }

    // MARK: One key

    static let timeout = SettingsShape.integer(1...600_000)
    private static let pointer = SettingsShape.text(pattern: "^(/|$)")
    private static let bytes = SettingsShape.integer(1024...1_073_741_824)

    /// The keys that a feed of each kind must have.
    private static let required: [BackendKind: Set<String>] = [
        .file: ["path", "paging"], .http: ["url", "paging"], .sqlite: ["path", "query", "paging"],
        .exec: ["command", "paging"], .worker: ["paging"], .script: ["steps", "paging"],
    ]

    private static func key(_ name: String, of kind: BackendKind, isPart: Bool) -> SettingsKey {
        SettingsKey(
            name, shape(of: name, kind) ?? .json,
            isRequired: !isPart && required[kind]?.contains(name) == true,
            secrecy: secrecy[name] ?? .open, meaning: meaning(of: name, kind),
            standard: standard(of: name, kind))
    }

    private static let secrecy: [String: SettingsKey.Secrecy] = [
        "url": .address, "proxy": .address, "headers": .hiddenValues,
        "environment": .hiddenValues, "body": .hidden, "command": .hidden,
    ]

    /// Returns nil for a key without a description; a test checks that every key has one.
    static func shape(of name: String, _ kind: BackendKind) -> SettingsShape? {
        switch name {
        case "paging": .choice(kind.pagingStyles.map(\.rawValue))
        case "parameters":
            .either([
                .list(.text(pattern: ConfigurationShape.namePattern)),
                .named(
                    .choice(ParameterType.allCases.map(\.rawValue)),
                    pattern: ConfigurationShape.namePattern),
            ])
        case "then": .choice(ScriptOptions.Then.allCases.map(\.rawValue))
        case "format": .choice(FileFormat.allCases.map(\.rawValue))
        case "method": .choice(HTTPOptions.Method.allCases.map(\.rawValue))
        default: common[name] ?? policies[name]
        }
    }

    private static let common: [String: SettingsShape] = [
        "first": .integer(0...1), "size": .integer(1...100_000),
        "forward": .list(.text(pattern: ConfigurationShape.headerPattern)), "shared": .boolean,
        "coolDownMs": .integer(0...3_600_000), "itemKey": pointer,
        "path": .text(), "bytesMax": bytes, "responseBytesMax": bytes, "lineBytesMax": bytes,
        "url": .text(pattern: ConfigurationShape.webPattern), "body": .json,
        "headers": .named(.text()), "items": pointer,
        "more": pointer, "total": pointer, "next": .either([.choice(["link"]), pointer]),
        "nextParameter": .text(), "etag": .boolean, "redirects": .integer(0...5),
        "http2": .boolean, "ca": .text(), "proxy": .text(), "connectTimeoutMs": timeout,
        "totalTimeoutMs": timeout, "timeoutMs": timeout,
        "query": .text(), "count": .text(), "after": .list(.text()),
        "command": .list(.text(), isNeverEmpty: true), "folder": .text(),
        "environment": .named(.text()), "processes": .integer(ExecOptions.processesRange),
        "loadsPerProcess": .integer(ExecOptions.loadsPerProcessRange),
        "graceMs": .integer(ExecOptions.graceMsRange),
        "restartBaseMs": .integer(ExecOptions.restartMsRange),
        "restartCapMs": .integer(ExecOptions.restartMsRange),
    ]

    private static let policies: [String: SettingsShape] = [
        "calls": .integer(1...10_000), "queue": .integer(0...100_000),
        "retry": .table(retry), "breaker": .table(breaker), "cache": .table(cache),
        "steps": .list(.table(step), isNeverEmpty: true),
    ]
}
