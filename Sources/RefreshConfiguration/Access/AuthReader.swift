internal import RefreshBroker
internal import RefreshProtocol
internal import Yams

/// Reads `auth` of a configuration file and checks the files that it names. Source:
/// docs/configuration.md, "auth".
struct AuthReader {
    let folder: ConfigurationFolder
    let limits: Limits
    let tokens: [AccessTokenSettings]

    /// Returns nil if there is a problem.
    func settings(_ node: Node, with reader: inout SettingsReader) -> AuthSettings? {
        guard let all = reader.mapping(node, key: "auth") else { return nil }
        guard let modeNode = all["mode"] else {
            reader.report("`mode` is missing", key: "auth", at: node)
            return nil
        }
        guard let mode = reader.choice(modeNode, key: all.key("mode"), among: AuthMode.allCases)
        else { return nil }
        let problems = reader.problems.count
        reportUnknown(in: all, of: mode, with: &reader)
        let settings: AuthSettings? =
            switch mode {
            case .none: AuthSettings.none
            case .token: tokenMode(at: modeNode, with: &reader)
            case .jwt: webToken(all, since: problems, with: &reader).map { .jwt($0) }
            case .http: hook(all, since: problems, with: &reader).map { .http($0) }
            }
        return reader.problems.count == problems ? settings : nil
    }

    private static func keys(of mode: AuthMode) -> [String] {
        switch mode {
        case .none, .token: []
        case .jwt:
            [
                "algorithms", "jwks", "secretFile", "audience", "issuer", "skewMs", "feedsClaim",
            ]
        case .http: ["url", "ca", "deadlineMs", "calls", "forward"]
        }
    }

    private func reportUnknown(
        in settings: SettingsMapping, of mode: AuthMode, with reader: inout SettingsReader
    ) {
        let known = ["mode"] + Self.keys(of: mode)
        for entry in settings.entries where !known.contains(entry.name) {
            let others = AuthMode.allCases.filter { Self.keys(of: $0).contains(entry.name) }
            let message =
                if let other = others.first {
                    "not a key of mode \(mode.rawValue), but of \(other.rawValue)"
                } else {
                    "unknown key; "
                        + (SpellingSuggestion.suggestion(for: entry.name, among: known)
                            .map { "did you mean `\($0)`?" }
                            ?? "known keys: \(known.joined(separator: ", "))")
                }
            reader.report(message, key: entry.key, at: entry.keyNode)
        }
    }

    private func tokenMode(at node: Node, with reader: inout SettingsReader) -> AuthSettings {
        if !tokens.contains(where: { $0.may.contains(.connect) }) {
            reader.report("no token in `tokens` permits `connect`", key: "auth.mode", at: node)
        }
        return .token
    }

    // MARK: jwt

    /// `problems` is the number of problems before `auth`. The key file is checked only if no
    /// problem was added.
    private func webToken(
        _ settings: SettingsMapping, since problems: Int, with reader: inout SettingsReader
    ) -> WebTokenSettings? {
        let algorithms = algorithms(settings, with: &reader)
        let file = keyFile(settings, with: &reader)
        let audience = required("audience", in: settings, with: &reader)
        let issuer = reader.string("issuer", in: settings)
        let skewMs = reader.integer("skewMs", in: settings, WebTokenSettings.skewMsRange)
        let feedsClaim = reader.string("feedsClaim", in: settings)
        guard reader.problems.count == problems, let file, let audience else { return nil }
        let webToken = WebTokenSettings(
            algorithms: algorithms, keys: file, audience: audience, issuer: issuer,
            skewMs: skewMs ?? WebTokenSettings.standardSkewMs,
            feedsClaim: feedsClaim ?? WebTokenSettings.standardFeedsClaim)
        do throws(KeyFileProblem) {
            _ = try WebTokenKeys(webToken)
            return webToken
        } catch {
            let name = settings["jwks"] == nil ? "secretFile" : "jwks"
            reader.report(
                error.message, key: settings.key(name), at: settings[name] ?? settings.node)
            return nil
        }
    }

    private func algorithms(
        _ settings: SettingsMapping, with reader: inout SettingsReader
    ) -> [WebTokenSettings.Algorithm] {
        guard let node = settings["algorithms"] else {
            reader.report("`algorithms` is missing", key: settings.path, at: settings.node)
            return []
        }
        let key = settings.key("algorithms")
        let items = reader.list(node, key: key)
        let all = WebTokenSettings.Algorithm.allCases
        if case .sequence = node, items.isEmpty {
            let names = all.map(\.rawValue).joined(separator: ", ")
            reader.report("at least one of \(names) is required", key: key, at: node)
        }
        var algorithms: [WebTokenSettings.Algorithm] = []
        for item in items {
            guard let algorithm = reader.choice(item, key: key, among: all) else { continue }
            if algorithms.contains(algorithm) {
                reader.report("`\(algorithm.rawValue)` occurs twice", key: key, at: item)
            } else {
                algorithms.append(algorithm)
            }
        }
        return algorithms
    }

    private func keyFile(
        _ settings: SettingsMapping, with reader: inout SettingsReader
    ) -> WebTokenSettings.KeyFile? {
        let jwks = reader.string("jwks", in: settings).map(folder.resolve(_:))
        let secret = reader.string("secretFile", in: settings).map(folder.resolve(_:))
        switch (settings["jwks"], settings["secretFile"]) {
        case (nil, nil):
            reader.report(
                "one of `jwks`, `secretFile` is required", key: settings.path, at: settings.node)
        case (_?, let second?):
            reader.report(
                "cannot be combined with `jwks`; set one of them",
                key: settings.key("secretFile"), at: second)
        case (_?, nil), (nil, _?): break
        }
        return jwks.map { .jwks(path: $0) } ?? secret.map { .secret(path: $0) }
    }

    private func required(
        _ name: String, in settings: SettingsMapping, with reader: inout SettingsReader
    ) -> String? {
        if settings[name] == nil {
            reader.report("`\(name)` is missing", key: settings.path, at: settings.node)
        }
        return reader.string(name, in: settings)
    }

    // MARK: http

    private func hook(
        _ settings: SettingsMapping, since problems: Int, with reader: inout SettingsReader
    ) -> AuthHookSettings? {
        let url = required("url", in: settings, with: &reader)
        let ca = reader.string("ca", in: settings).map(folder.resolve(_:))
        let deadlineMs = reader.integer("deadlineMs", in: settings, 1...limits.authDeadlineMs)
        let calls = reader.integer("calls", in: settings, AuthHookSettings.callsRange)
        let forward = reader.texts(
            "forward", in: settings, check: HeaderRule.objection(toForwarded:))
        guard reader.problems.count == problems, let url else { return nil }
        let hook = AuthHookSettings(
            url: url, ca: ca,
            deadlineMs: deadlineMs
                ?? min(AuthHookSettings.standardDeadlineMs, limits.authDeadlineMs),
            calls: calls ?? AuthHookSettings.standardCalls, forward: forward ?? [])
        do throws(BackendConfigurationError) {
            try HTTPPost.check(url: hook.url, ca: hook.ca)
            return hook
        } catch {
            reader.report(
                error.message, key: settings.key(error.key),
                at: settings[error.key] ?? settings.node)
            return nil
        }
    }
}
