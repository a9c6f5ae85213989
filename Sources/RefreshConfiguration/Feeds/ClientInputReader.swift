internal import RefreshBackends
internal import RefreshBroker
internal import RefreshProtocol
internal import Yams

/// Reads the keys `parameters` and `forward`, which define the inputs that clients may pass to a
/// feed's backend.
enum ClientInputReader {
    static func parameters(
        _ section: FeedSection, with reader: inout SettingsReader
    ) -> [FeedParameter] {
        let settings = section.settings
        guard let node = settings["parameters"] else { return [] }
        let parameters =
            if case .mapping = node {
                typed(node, key: settings.key("parameters"), with: &reader)
            } else {
                (reader.texts("parameters", in: settings, check: objection(toParameter:)) ?? [])
                    .map { FeedParameter($0) }
            }
        if parameters.count > section.limits.parametersMax {
            reader.report(
                "\(parameters.count) parameters; limits.parametersMax is "
                    + "\(section.limits.parametersMax)",
                key: settings.key("parameters"), at: node)
        }
        return parameters
    }

    private static func typed(
        _ node: Node, key: String, with reader: inout SettingsReader
    ) -> [FeedParameter] {
        guard let types = reader.mapping(node, key: key) else { return [] }
        return types.entries.compactMap { entry in
            if let objection = objection(toParameter: entry.name) {
                reader.report(objection, key: entry.key, at: entry.keyNode)
                return nil
            }
            let types = ParameterType.allCases.map(\.rawValue)
            return reader.choice(entry.value, key: entry.key, among: types)
                .map { FeedParameter(entry.name, $0) }
        }
    }

    private static func objection(toParameter name: String) -> String? {
        ConfiguredName.isValid(name) ? nil : ConfiguredName.rule
    }

    /// Returns the names of the headers that clients may pass.
    static func forward(_ section: FeedSection, with reader: inout SettingsReader) -> [String] {
        reader.texts("forward", in: section.settings, check: HeaderRule.objection(toForwarded:))
            ?? []
    }
}
