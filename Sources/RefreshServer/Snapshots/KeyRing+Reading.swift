package import RefreshConfiguration
package import SealedSnapshots

/// Reads or creates the keys. Source: docs/configuration.md, "resume".
extension KeyRing {
    /// The name of the key file in the state folder.
    static let fileName = "snapshot.key"

    /// Reads the configured keys. If no keys are configured, uses the key in the state folder. If
    /// there is no state folder, uses a key that is lost when the process ends.
    ///
    /// - Throws: The files from which no key could be read, and the reasons.
    package init(_ settings: ResumeSettings, log: DaemonLog) throws(ConfigurationError) {
        if !settings.keys.isEmpty {
            self = try Self.readKeys(settings.keys, log: log)
        } else if let folder = settings.stateFolder {
            self.init(first: try Self.loadOrCreateKey(in: folder, log: log))
        } else {
            self = .ephemeral(log)
        }
    }

    /// Reads the keys again for a running daemon, whose current ring is `present`. This function
    /// creates no key, because another part of the new configuration may be wrong. The returned
    /// closure returns the new ring. The closure creates a key if there is none, and cannot fail.
    ///
    /// - Throws: The files from which no key could be read, and the reasons.
    static func prepare(
        _ settings: ResumeSettings, replacing present: KeyRing, log: DaemonLog
    ) throws(ConfigurationError) -> @Sendable () -> KeyRing {
        if !settings.keys.isEmpty {
            let ring = try readKeys(settings.keys, log: log)
            return { ring }
        }
        guard let folder = settings.stateFolder else {
            // An ephemeral ring is kept, so that the snapshots that it has sealed stay valid while
            // the process runs.
            if present.isEphemeral { return { present } }
            return { .ephemeral(log) }
        }
        if FileStatus.mayExist(at: "\(folder)/\(fileName)") {
            let ring = KeyRing(first: try loadOrCreateKey(in: folder, log: log))
            return { ring }
        }
        try KeyFile.check(in: folder, name: fileName)
        return {
            guard let key = try? loadOrCreateKey(in: folder, log: log) else {
                return .ephemeral(log)
            }
            return KeyRing(first: key)
        }
    }

    private static func ephemeral(_ log: DaemonLog) -> KeyRing {
        log(.snapshotsEndWithProcess, [.option: "resume.keys"])
        return .ephemeral()
    }

    /// Reads all files and creates no key. Throws the errors that a start of the daemon would
    /// throw.
    package static func check(_ settings: ResumeSettings) throws(ConfigurationError) {
        if !settings.keys.isEmpty {
            _ = try readKeys(settings.keys, log: .silent)
        } else if let folder = settings.stateFolder {
            try KeyFile.check(in: folder, name: fileName)
        }
    }

    private static func readKeys(
        _ settings: [ResumeSettings.Key], log: DaemonLog
    ) throws(ConfigurationError) -> KeyRing {
        var keys: [SealingKey] = []
        var problems: [ConfigurationProblem] = []
        for (index, setting) in settings.enumerated() {
            do throws(KeyFile.Refusal) {
                let file = try KeyFile(path: setting.file, id: setting.id)
                if file.isOpenToOthers { log(.keyOpenToOthers, [.file: setting.file]) }
                keys.append(file.key)
            } catch {
                problems.append(
                    ConfigurationProblem(
                        key: "resume.keys[\(index)].file",
                        "no key in \(NamedFile.name(ofSecretAt: setting.file)): \(error.reason)")
                )
            }
        }
        guard problems.isEmpty, let first = keys.first else {
            throw ConfigurationError(problems)
        }
        return KeyRing(first: first, others: Array(keys.dropFirst()))
    }

    private static func loadOrCreateKey(
        in folder: String, log: DaemonLog
    ) throws(ConfigurationError) -> SealingKey {
        do throws(KeyFile.Refusal) {
            let (file, isNew) = try KeyFile.loadOrCreate(in: folder, name: fileName)
            let path = "\(folder)/\(fileName)"
            if isNew { log(.snapshotKeyMade, [.file: path]) }
            if file.isOpenToOthers { log(.keyOpenToOthers, [.file: path]) }
            return file.key
        } catch {
            throw ConfigurationError([
                ConfigurationProblem(
                    key: "resume.stateFolder",
                    "no key in `\(folder)/\(fileName)`: \(error.reason)")
            ])
        }
    }
}

extension KeyFile {
    /// Checks that the key file is valid, or can be created if it does not exist.
    fileprivate static func check(
        in folder: String, name: String
    ) throws(ConfigurationError) {
        let path = "\(folder)/\(name)"
        do throws(Refusal) {
            if FileStatus.mayExist(at: path) {
                _ = try KeyFile(path: path)
            } else if let reason = WritabilityCheck.refusal(of: folder) {
                throw Refusal(reason)
            }
        } catch {
            throw ConfigurationError([
                ConfigurationProblem(
                    key: "resume.stateFolder", "no key in `\(path)`: \(error.reason)")
            ])
        }
    }
}
