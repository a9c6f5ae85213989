internal import Yams

/// Reads `drain` of a configuration file.
enum DrainReader {
    static func settings(_ node: Node, with reader: inout SettingsReader) -> DrainSettings {
        var drain = DrainSettings()
        guard let keys = reader.mapping(node, key: "drain", known: DrainSettings.keys)
        else { return drain }
        let range = DrainSettings.msRange
        drain.delayMs = reader.integer("delayMs", in: keys, range) ?? drain.delayMs
        drain.spreadMs = reader.integer("spreadMs", in: keys, range) ?? drain.spreadMs
        drain.loadsMs = reader.integer("loadsMs", in: keys, range) ?? drain.loadsMs
        return drain
    }
}
