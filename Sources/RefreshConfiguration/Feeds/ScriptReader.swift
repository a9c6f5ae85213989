internal import RefreshBroker
internal import RefreshProtocol
internal import Yams

/// Reads the steps of a `script` backend. Source: docs/backends.md, "script".
enum ScriptReader {
    private static let answerKeys = ["items", "more", "next", "total", "maxAgeMs"]
    /// The keys for the possible ends of a step. Each step has exactly one of them.
    private static let endKeys = ["items", "generate", "fail", "raw", "hang"]
    private static let stepKeys =
        ["afterMs"] + answerKeys + ["generate", "fail", "retryAfterMs", "raw", "progress", "hang"]

    static func options(
        _ section: FeedSection, of feed: FeedInput, with reader: inout SettingsReader
    ) -> ScriptOptions? {
        let problems = reader.problems.count
        let settings = section.settings
        let then = reader.choice("then", in: settings, among: ScriptOptions.Then.allCases)
        guard let node = reader.required("steps", in: section) else { return nil }
        let key = settings.key("steps")
        var steps: [ScriptStep] = []
        for (index, item) in reader.list(node, key: key).enumerated() {
            let known = reader.mapping(item, key: "\(key)[\(index)]", known: stepKeys)
            if let known, let step = step(known, with: &reader) { steps.append(step) }
        }
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
        let afterMs = reader.integer("afterMs", in: settings, 0...3_600_000)
        let progress = progress(settings, with: &reader)
        guard let end = self.end(end, settings, with: &reader), reader.problems.count == problems
        else { return nil }
        let step = ScriptStep(end, afterMs: afterMs ?? 0, progress: progress)
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

    /// Reports keys that are not allowed with this end.
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
                total: reader.integer("total", in: settings, 0...PageReader.naturalMax),
                maxAgeMs: reader.integer("maxAgeMs", in: settings, 0...PageReader.naturalMax))
        case "generate":
            return reader.integer("generate", in: settings, 0...1_000_000).map { .generate($0) }
        case "fail":
            let codes = FaultCode.allCases.filter { $0.rawValue.hasPrefix("backend") }
            let retry = reader.integer(
                "retryAfterMs", in: settings, 0...ScriptStep.retryAfterMsMax)
            return reader.choice("fail", in: settings, among: codes).map {
                .fail($0, retryAfterMs: retry)
            }
        case "raw":
            return reader.scalar(end.value, key: end.key).map { .raw(Array($0.utf8)) }
        default:
            guard let hangs = reader.boolean("hang", in: settings) else { return nil }
            if !hangs { reader.report("must be `true` or absent", key: end.key, at: end.value) }
            return .hang
        }
    }

    private static func progress(
        _ settings: SettingsMapping, with reader: inout SettingsReader
    ) -> [Double] {
        guard let node = settings["progress"] else { return [] }
        let key = settings.key("progress")
        return reader.list(node, key: key).compactMap { item in
            if case .scalar(let scalar) = item, scalar.style == .plain,
                case .number(let value)? = ParameterValue(scalar.string, as: .number),
                0...1 ~= value
            {
                return value
            }
            reader.report("expected a number from 0 to 1", key: key, at: item)
            return nil
        }
    }
}
