internal import RefreshBackends
internal import Yams

/// Reads the settings of an `exec` backend. Source: docs/backends.md, "exec".
enum ExecReader {
    static func options(
        _ section: FeedSection, with reader: inout SettingsReader
    ) -> ExecOptions? {
        let problems = reader.problems.count
        let settings = section.settings
        let command = command(settings, with: &reader)
        let folder = reader.string("folder", in: settings)
        var options = ExecOptions(
            command: command ?? [],
            folder: folder.map(section.folder.absolute(_:)) ?? section.folder.absolute)
        options.environment = environment(settings, with: &reader)
        options.processes =
            reader.integer("processes", in: settings) ?? options.processes
        options.loadsPerProcess =
            reader.integer("loadsPerProcess", in: settings) ?? options.loadsPerProcess
        options.lineBytesMax = reader.answerBytes(
            "lineBytesMax", in: section, standard: options.lineBytesMax)
        options.graceMs = reader.integer("graceMs", in: settings) ?? options.graceMs
        options.restartBaseMs =
            reader.integer("restartBaseMs", in: settings) ?? options.restartBaseMs
        options.restartCapMs =
            reader.integer("restartCapMs", in: settings)
            ?? max(options.restartCapMs, options.restartBaseMs)
        guard command != nil, reader.problems.count == problems else { return nil }
        return reader.checked(options, in: section, evenOfPart: true) {
            options throws(BackendConfigurationError) in
            try options.check()
        }
    }

    private static func command(
        _ settings: SettingsMapping, with reader: inout SettingsReader
    ) -> [String]? {
        guard let node = reader.value("command", in: settings) else { return nil }
        let key = settings.key("command")
        let words = reader.list("command", in: settings)
        guard !words.isEmpty else {
            if case .sequence = node {
                reader.report("the program is missing", key: key, at: node)
            }
            return nil
        }
        let texts = words.compactMap { reader.scalar($0, key: key) }
        guard let program = texts.first, texts.count == words.count else { return nil }
        guard program.hasPrefix("/") else {
            reader.report(
                "the program must be an absolute path; neither a shell nor PATH is used", key: key,
                at: words[0])
            return nil
        }
        return texts
    }

    private static func environment(
        _ settings: SettingsMapping, with reader: inout SettingsReader
    ) -> [String: String] {
        guard let variables = reader.named("environment", in: settings) else { return [:] }
        var environment: [String: String] = [:]
        for entry in variables.entries {
            guard !entry.name.isEmpty, !entry.name.contains("="), !entry.name.contains("\0") else {
                // The message does not repeat the name, because the name may contain the value.
                reader.report(
                    "a variable's name must not be empty or contain `=`",
                    key: settings.key("environment"), at: entry.keyNode)
                continue
            }
            guard let value = reader.scalar(entry.value, key: entry.key) else { continue }
            environment[entry.name] = value
        }
        return environment
    }
}
