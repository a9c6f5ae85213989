internal import RefreshBackends
internal import RefreshBroker
internal import Yams

/// Reads `cluster` of a configuration file, and checks the files that it names. It connects to no
/// server. Source: docs/configuration.md, "cluster".
struct ClusterReader {
    /// The base of relative paths.
    let folder: ConfigurationFolder

    /// Returns nil if `cluster` is absent or has a problem.
    func settings(
        _ top: SettingsMapping, with reader: inout SettingsReader
    ) -> ClusterSettings? {
        let problems = reader.problems.count
        guard let section = reader.table("cluster", in: top) else { return nil }
        let name = text(
            "name", in: section, pattern: /[a-z0-9_-]{1,32}/,
            rule: "the name of a cluster has 1 to 32 characters of a to z, 0 to 9, `-` and `_`",
            with: &reader)
        var settings = ClusterSettings(
            name: name ?? "", servers: servers(section, with: &reader))
        settings.node = text(
            "node", in: section, pattern: /[A-Za-z0-9_.-]{1,64}/, rule: ConfiguredName.rule,
            with: &reader)
        settings.login = login(section, with: &reader)
        readTLS(section, into: &settings, with: &reader)
        settings.connectTimeoutMs =
            reader.integer("connectTimeoutMs", in: section) ?? settings.connectTimeoutMs
        return reader.problems.count == problems ? settings : nil
    }

    /// Returns a text that matches the pattern as a whole. Reports any other text, without
    /// repeating it.
    private func text(
        _ name: String, in settings: SettingsMapping, pattern: Regex<Substring>, rule: String,
        with reader: inout SettingsReader
    ) -> String? {
        guard let node = settings[name], let text = reader.string(name, in: settings)
        else { return nil }
        if text.wholeMatch(of: pattern) != nil { return text }
        reader.report(rule, key: settings.key(name), at: node)
        return nil
    }

    // MARK: Servers

    private func servers(
        _ section: SettingsMapping, with reader: inout SettingsReader
    ) -> [ClusterServer] {
        let key = section.key("servers")
        let items = reader.list("servers", in: section)
        var servers: [ClusterServer] = []
        for item in items {
            guard let text = reader.string(item, key: key) else { continue }
            do throws(ClusterServer.Malformed) {
                let server = try ClusterServer(text)
                if servers.contains(server) {
                    reader.report("`\(server)` occurs twice", key: key, at: item)
                } else if let first = servers.first, first.usesTLS != server.usesTLS {
                    reader.report(
                        "`\(server)`: servers with nats:// and servers with tls:// cannot be "
                            + "combined",
                        key: key, at: item)
                } else {
                    servers.append(server)
                }
            } catch {
                reader.report(error.description, key: key, at: item)
            }
        }
        guard let node = section["servers"] else { return [] }
        if items.count > ClusterSettings.serversMax {
            reader.report(
                "\(items.count) servers; at most \(ClusterSettings.serversMax)", key: key, at: node)
        } else if case .sequence = node, items.isEmpty {
            reader.report("at least one server is required", key: key, at: node)
        }
        return servers
    }

    // MARK: Login

    private func login(
        _ section: SettingsMapping, with reader: inout SettingsReader
    ) -> ClusterSettings.Login? {
        let problems = reader.problems.count
        let credentials = reader.string("credentials", in: section).map(folder.resolve(_:))
        let nkey = reader.string("nkey", in: section).map(folder.resolve(_:))
        let user = text(
            "user", in: section, pattern: /[!-~]{1,64}/,
            rule: "a user has 1 to 64 printable ASCII characters without spaces", with: &reader)
        let password = reader.string("passwordFile", in: section).map(folder.resolve(_:))
        checkCombination(section, with: &reader)
        guard reader.problems.count == problems else { return nil }
        let login: ClusterSettings.Login? =
            if let credentials {
                .credentials(path: credentials)
            } else if let nkey {
                .nkey(path: nkey)
            } else if let user, let password {
                .password(user: user, path: password)
            } else {
                nil
            }
        guard let login else { return nil }
        do throws(KeyFileProblem) {
            _ = try ClusterCredentials(login)
            return login
        } catch {
            reader.report(
                error.message, key: section.key(login.key),
                at: section[login.key] ?? section.node)
            return nil
        }
    }

    /// Reports a second way to authenticate, and a user without a password or a password without a
    /// user.
    private func checkCombination(
        _ section: SettingsMapping, with reader: inout SettingsReader
    ) {
        let ways = ["credentials", "nkey", "user"].filter { section[$0] != nil }
        for way in ways.dropFirst() {
            reader.report(
                "cannot be combined with `\(ways[0])`; set one of them", key: section.key(way),
                at: section[way] ?? section.node)
        }
        switch (section["user"], section["passwordFile"]) {
        case (let user?, nil):
            reader.report("requires `passwordFile`", key: section.key("user"), at: user)
        case (nil, let password?):
            reader.report("requires `user`", key: section.key("passwordFile"), at: password)
        case (nil, nil), (_?, _?): break
        }
    }

    // MARK: tls

    private func readTLS(
        _ section: SettingsMapping, into settings: inout ClusterSettings,
        with reader: inout SettingsReader
    ) {
        guard let tls = reader.table("tls", in: section) else { return }
        let ca = reader.string("ca", in: tls).map(folder.resolve(_:))
        let certificate = reader.string("certificate", in: tls).map(folder.resolve(_:))
        let key = reader.string("key", in: tls).map(folder.resolve(_:))
        if !tls.entries.isEmpty, settings.servers.contains(where: { !$0.usesTLS }) {
            reader.report("requires servers with tls://", key: tls.path, at: tls.node)
            return
        }
        switch (tls["certificate"], tls["key"]) {
        case (let node?, nil):
            reader.report("requires `key`", key: tls.key("certificate"), at: node)
        case (nil, let node?):
            reader.report("requires `certificate`", key: tls.key("key"), at: node)
        case (nil, nil), (_?, _?): break
        }
        if let ca {
            do throws(BackendConfigurationError) {
                try CertificateFile.check(ca)
                settings.ca = ca
            } catch {
                reader.report(error.message, key: tls.key("ca"), at: tls["ca"] ?? tls.node)
            }
        }
        if let certificate, let key {
            settings.certificate = TLSSettings(certificate: certificate, key: key)
                .checked(tls, with: &reader)
        }
    }
}
