internal import RefreshIndicator
internal import Yams

/// Reads `indicators` of a configuration file, and the files that it names.
struct IndicatorReader {
    /// The maximum number of indicators that fit into one `welcome`.
    private static let countMax = 256

    let folder: ConfigurationFolder

    /// Returns the valid indicators in the order of the file, and reports the problems of the
    /// others.
    func indicators(_ node: Node, with reader: inout SettingsReader) -> [NamedProgramme] {
        guard let all = reader.mapping(node, key: "indicators") else { return [] }
        guard all.entries.count <= Self.countMax else {
            reader.report(
                "\(all.entries.count) indicators; at most \(Self.countMax)", key: "indicators",
                at: node)
            return []
        }
        return all.entries.compactMap { entry in
            let key = all.key(entry.name)
            guard ConfiguredName.isValid(entry.name) else {
                reader.report(ConfiguredName.rule, key: key, at: entry.keyNode)
                return nil
            }
            guard BuiltInIndicator(rawValue: entry.name) == nil else {
                reader.report("the name is already in use", key: key, at: entry.keyNode)
                return nil
            }
            return programme(entry, key: key, with: &reader)
        }
    }

    private func programme(
        _ entry: SettingsMapping.Entry, key: String, with reader: inout SettingsReader
    ) -> NamedProgramme? {
        guard let settings = reader.mapping(entry.value, key: key, known: ["file"]) else {
            return nil
        }
        guard let node = settings["file"] else {
            reader.report("`file` is missing", key: key, at: entry.keyNode)
            return nil
        }
        guard let file = reader.string(node, key: settings.key("file")) else { return nil }
        do throws(IndicatorFile.Mistake) {
            return NamedProgramme(entry.name, try IndicatorFile.read(folder.resolve(file)))
        } catch {
            // The problem is in the indicator's file, so no place in the configuration file is
            // given.
            reader.report("indicator \(entry.name): \(file): \(error)")
            return nil
        }
    }
}
