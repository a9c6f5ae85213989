internal import RefreshBackends
internal import RefreshProtocol

/// Reads `auth` of a configuration file and checks the files that `auth` names. Source:
/// docs/configuration.md, "auth".
struct AuthReader {
    let folder: ConfigurationFolder
    let limits: Limits
    let tokens: [AccessTokenSettings]

    /// Returns nil if `auth` is absent or has a problem.
    func settings(_ top: SettingsMapping, with reader: inout SettingsReader) -> AuthSettings? {
        guard var all = reader.named("auth", in: top) else { return nil }
        all.table = [AuthShape.mode]
        guard let mode: AuthMode = reader.choice("mode", in: all) else { return nil }
        let problems = reader.problems.count
        all.table = AuthShape.keys(of: mode)
        reportUnknown(in: all, of: mode, with: &reader)
        let settings: AuthSettings? =
            switch mode {
            case .none: AuthSettings.none
            case .token: tokenMode(all, with: &reader)
            case .jwt: webToken(all, since: problems, with: &reader).map { .jwt($0) }
            case .http: hook(all, since: problems, with: &reader).map { .http($0) }
            }
        return reader.problems.count == problems ? settings : nil
    }

    private func reportUnknown(
        in settings: SettingsMapping, of mode: AuthMode, with reader: inout SettingsReader
    ) {
        reader.reportUnknown(in: settings) { name in
            AuthMode.allCases.first { AuthShape.keys(of: $0)[name] != nil }
                .map { "not a key of mode \(mode.rawValue), but of \($0.rawValue)" }
        }
    }

    private func tokenMode(
        _ settings: SettingsMapping, with reader: inout SettingsReader
    ) -> AuthSettings {
        if !tokens.contains(where: { $0.may.contains(.connect) }) {
            reader.report(
                "no token in `tokens` permits `connect`", key: settings.key("mode"),
                at: settings["mode"] ?? settings.node)
        }
        return .token
    }

    // MARK: jwt

    /// `problems` is the number of problems that were found before `auth` was read. The key file is
    /// checked only if `auth` has added no problem.
    private func webToken(
        _ settings: SettingsMapping, since problems: Int, with reader: inout SettingsReader
    ) -> WebTokenSettings? {
        let algorithms: [WebTokenSettings.Algorithm] = reader.choices("algorithms", in: settings)
        let file = keyFile(settings, with: &reader)
        let audience = reader.string("audience", in: settings)
        let issuer = reader.string("issuer", in: settings)
        let skewMs = reader.integer("skewMs", in: settings)
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

    // MARK: http

    private func hook(
        _ settings: SettingsMapping, since problems: Int, with reader: inout SettingsReader
    ) -> AuthHookSettings? {
        let url = reader.string("url", in: settings)
        let ca = reader.string("ca", in: settings).map(folder.resolve(_:))
        let deadlineMs = reader.integer(
            "deadlineMs", in: settings, atMost: limits.authDeadlineMs)
        let calls = reader.integer("calls", in: settings)
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
