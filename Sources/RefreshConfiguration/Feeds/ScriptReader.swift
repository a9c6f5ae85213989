internal import RefreshBackends
internal import RefreshProtocol
internal import Yams

/// Reads the steps of a `script` backend. Source: docs/backends.md, "script".
enum ScriptReader {
    private static let answerKeys = ["items", "more", "next", "total", "maxAgeMs"]
    /// The keys for the possible results of a step. Each step has exactly one of these keys.
    private static let endKeys = ["items", "generate", "fail", "raw", "hang"]

    static func options(
        _ section: FeedSection, of feed: FeedInput, with reader: inout SettingsReader
    ) -> ScriptOptions? {
        let problems = reader.problems.count
        let settings = section.settings
        let then: ScriptOptions.Then? = reader.choice("then", in: settings)
        guard reader.value("steps", in: settings) != nil else { return nil }
        let steps = reader.tables("steps", in: settings, read: step)
        guard reader.problems.count == problems else { return nil }
        var options = ScriptOptions(steps)
        options.then = then ?? options.then
        options.paging = feed.paging
        options.first = feed.first
        return reader.checked(options, in: section) { options throws(BackendConfigurationError) in
            try options.check()
        }
    }

    private static func step(
        _ settings: SettingsMapping, with reader: inout SettingsReader
    ) -> ScriptStep? {
        let problems = reader.problems.count
        let ends = settings.entries.filter { endKeys.contains($0.name) }
        guard ends.count == 1, let end = ends.first else {
            reader.report(
                "exactly one of \(endKeys.joined(separator: ", ")) is required",
                key: settings.path, at: settings.node)
            return nil
        }
        reportStray(settings, besides: end.name, with: &reader)
        let afterMs = reader.integer("afterMs", in: settings)
        let progress = reader.numbers("progress", in: settings)
        guard let end = self.end(end, settings, with: &reader), reader.problems.count == problems
        else { return nil }
        var step = ScriptStep(end, progress: progress)
        step.afterMs = afterMs ?? step.afterMs
        do throws(BackendConfigurationError) {
            try step.check()
            return step
        } catch {
            reader.report(
                error.message, key: settings.key(error.key),
                at: settings[error.key] ?? settings.node)
            return nil
        }
    }

    /// Reports the keys that are not allowed together with the result `end`.
    private static func reportStray(
        _ settings: SettingsMapping, besides end: String, with reader: inout SettingsReader
    ) {
        let owners = ["retryAfterMs": "fail"].merging(
            answerKeys.map { ($0, "items") }, uniquingKeysWith: { first, _ in first })
        for entry in settings.entries {
            if let owner = owners[entry.name], owner != end {
                reader.report("is allowed only with `\(owner)`", key: entry.key, at: entry.keyNode)
            }
        }
    }

    private static func end(
        _ end: SettingsMapping.Entry, _ settings: SettingsMapping,
        with reader: inout SettingsReader
    ) -> ScriptStep.End? {
        switch end.name {
        case "items":
            let problems = reader.problems.count
            _ = reader.list(end.value, key: end.key)
            guard reader.problems.count == problems,
                let json = reader.json(end.value, key: end.key)
            else { return nil }
            return .answer(
                items: json, more: reader.boolean("more", in: settings),
                next: reader.string("next", in: settings),
                total: reader.integer("total", in: settings),
                maxAgeMs: reader.integer("maxAgeMs", in: settings))
        case "generate":
            return reader.integer("generate", in: settings).map { .generate($0) }
        case "fail":
            let retry = reader.integer("retryAfterMs", in: settings)
            let code: FaultCode? = reader.choice("fail", in: settings)
            return code.map { .fail($0, retryAfterMs: retry) }
        case "raw":
            return reader.scalar(end.value, key: end.key).map { .raw(Array($0.utf8)) }
        default:
            guard let hangs = reader.boolean("hang", in: settings) else { return nil }
            if !hangs { reader.report("must be `true` or absent", key: end.key, at: end.value) }
            return .hang
        }
    }
}
