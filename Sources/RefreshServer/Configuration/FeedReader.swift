internal import RefreshBroker
internal import RefreshProtocol
internal import Yams

/// Reads `backends` and `feeds` of a configuration file.
struct FeedReader {
    private enum Kind: String, CaseIterable {
        case demo, file, http

        /// The keys that a feed of this kind may have.
        var keys: [String] {
            switch self {
            case .demo: ["backend", "size"]
            case .file: ["backend", "path", "format", "paging", "first", "size"]
            case .http:
                [
                    "backend", "url", "parameters", "paging", "first", "size", "connectTimeoutMs",
                    "totalTimeoutMs", "responseBytesMax",
                ]
            }
        }

        var pagingStyles: [PagingStyle] {
            self == .http ? PagingStyle.allCases : [.page, .offset, .cursor]
        }
    }

    private let folder: String
    private let limits: Limits
    private var shared: [String: (kind: Kind, settings: SettingsMapping)] = [:]

    /// `path` is that of the configuration file; relative paths begin in its folder.
    init(path: String, limits: Limits) {
        folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        self.limits = limits
    }

    /// Reads `backends`, for feeds to refer to.
    mutating func readBackends(_ node: Node, with reader: inout SettingsReader) {
        guard let backends = reader.mapping(node, key: "backends") else { return }
        for entry in backends.entries {
            let key = backends.key(entry.name)
            guard Self.isName(entry.name), Kind(rawValue: entry.name) == nil else {
                let message =
                    Kind(rawValue: entry.name) == nil ? Self.nameRule : "the name is taken"
                reader.report(message, key: key, at: entry.keyNode)
                continue
            }
            guard let all = reader.mapping(entry.value, key: key) else { continue }
            guard let kindNode = all["kind"] else {
                reader.report("`kind` is missing", key: key, at: entry.keyNode)
                continue
            }
            guard let kind = reader.choice(kindNode, key: all.key("kind"), among: Kind.allCases),
                var settings = reader.mapping(
                    entry.value, key: key,
                    known: ["kind"] + kind.keys.filter { $0 != "backend" })
            else { continue }
            settings.entries.removeAll { $0.name == "kind" }
            shared[entry.name] = (kind, settings)
        }
    }

    /// Reads `feeds`, in their order.
    func feeds(_ node: Node, with reader: inout SettingsReader) -> [FeedSettings] {
        guard let feeds = reader.mapping(node, key: "feeds") else { return [] }
        return feeds.entries.compactMap { entry in
            guard Self.isName(entry.name) else {
                reader.report(Self.nameRule, key: feeds.key(entry.name), at: entry.keyNode)
                return nil
            }
            return feed(entry, key: feeds.key(entry.name), with: &reader)
        }
    }

    private func feed(
        _ entry: SettingsMapping.Entry, key: String, with reader: inout SettingsReader
    ) -> FeedSettings? {
        guard let all = reader.mapping(entry.value, key: key) else { return nil }
        guard let backend = all["backend"] else {
            reader.report("`backend` is missing", key: key, at: entry.keyNode)
            return nil
        }
        guard let name = reader.string(backend, key: all.key("backend")) else { return nil }
        guard let kind = Kind(rawValue: name) ?? shared[name]?.kind else {
            reportBackend(name, key: all.key("backend"), at: backend, with: &reader)
            return nil
        }
        guard var settings = reader.mapping(entry.value, key: key, known: kind.keys)
        else { return nil }
        if let shared = shared[name] { settings = settings.completed(by: shared.settings) }
        let place = reader.place(of: entry.keyNode)
        let source = source(kind, settings, at: entry.keyNode, with: &reader)
        let size = size(kind, settings, with: &reader)
        let paging = paging(kind, settings, at: entry.keyNode, with: &reader)
        let first = settings["first"].flatMap {
            reader.integer($0, key: settings.key("first"), range: 0...1)
        }
        let parameters = parameters(settings, with: &reader)
        guard let source, let paging else { return nil }
        return FeedSettings(
            name: entry.name, source: source, parameters: parameters.map { FeedParameter($0) },
            paging: paging,
            first: first ?? (paging == .page ? 1 : 0), size: size, place: place)
    }

    private func reportBackend(
        _ name: String, key: String, at node: Node, with reader: inout SettingsReader
    ) {
        let known = Kind.allCases.map(\.rawValue) + shared.keys.sorted()
        let hint = NearMiss.suggestion(for: name, among: known).map { "; did you mean `\($0)`?" }
        reader.report(
            "there is no backend `\(name)`\(hint ?? "; \(known.joined(separator: ", ")) are known")",
            key: key, at: node)
    }

    private func size(
        _ kind: Kind, _ settings: SettingsMapping, with reader: inout SettingsReader
    ) -> Int {
        let chosen = settings["size"].flatMap {
            reader.integer($0, key: settings.key("size"), range: 1...limits.pageSizeMax)
        }
        return chosen ?? min(kind == .demo ? FeedSettings.demo.size : 20, limits.pageSizeMax)
    }

    private func paging(
        _ kind: Kind, _ settings: SettingsMapping, at node: Node, with reader: inout SettingsReader
    ) -> PagingStyle? {
        if kind == .demo { return FeedSettings.demo.paging }
        guard let paging = required("paging", in: settings, at: node, with: &reader)
        else { return nil }
        return reader.choice(paging, key: settings.key("paging"), among: kind.pagingStyles)
    }

    private func parameters(
        _ settings: SettingsMapping, with reader: inout SettingsReader
    ) -> [String] {
        guard let node = settings["parameters"] else { return [] }
        let key = settings.key("parameters")
        var names: [String] = []
        for item in reader.list(node, key: key) {
            guard let name = reader.string(item, key: key) else { continue }
            if !Self.isName(name) {
                reader.report("`\(name)`: \(Self.nameRule)", key: key, at: item)
            } else if names.contains(name) {
                reader.report("`\(name)` stands twice", key: key, at: item)
            } else {
                names.append(name)
            }
        }
        if names.count > limits.parametersMax {
            reader.report(
                "\(names.count) parameters; limits.parametersMax is \(limits.parametersMax)",
                key: key, at: node)
        }
        return names
    }

    private func source(
        _ kind: Kind, _ settings: SettingsMapping, at node: Node, with reader: inout SettingsReader
    ) -> FeedSettings.Source? {
        switch kind {
        case .demo:
            return .demo
        case .file:
            let path = required("path", in: settings, at: node, with: &reader).flatMap {
                reader.string($0, key: settings.key("path"))
            }
            let format = settings["format"].flatMap {
                reader.choice($0, key: settings.key("format"), among: FileFormat.allCases)
            }
            guard let path else { return nil }
            return .file(path: path.hasPrefix("/") ? path : folder + path, format: format)
        case .http:
            return http(settings, at: node, with: &reader)
        }
    }

    private func http(
        _ settings: SettingsMapping, at node: Node, with reader: inout SettingsReader
    ) -> FeedSettings.Source? {
        let url = required("url", in: settings, at: node, with: &reader).flatMap {
            reader.string($0, key: settings.key("url"))
        }
        func integer(_ name: String, _ range: ClosedRange<Int>, _ standard: Int) -> Int {
            settings[name].flatMap {
                reader.integer($0, key: settings.key(name), range: range)
            } ?? min(standard, range.upperBound)
        }
        let connect = integer("connectTimeoutMs", 1...600_000, 2000)
        let total = integer("totalTimeoutMs", 1...600_000, max(10_000, connect))
        let bytes = integer(
            "responseBytesMax", 1024...limits.backendResponseBytesMax, 1_048_576)
        if total < connect {
            reader.report(
                "\(total) is below connectTimeoutMs, \(connect)",
                key: settings.key("totalTimeoutMs"), at: settings["totalTimeoutMs"] ?? node)
        }
        guard let url else { return nil }
        return .http(
            url: url, connectTimeoutMs: connect, totalTimeoutMs: total, responseBytesMax: bytes)
    }

    private func required(
        _ name: String, in settings: SettingsMapping, at node: Node,
        with reader: inout SettingsReader
    ) -> Node? {
        if let value = settings[name] { return value }
        reader.report("`\(name)` is missing", key: settings.path, at: node)
        return nil
    }

    static let nameRule = "a name is 1 to 64 letters, digits, `-`, `_` and `.`"

    static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
    }
}
