internal import Yams

/// The settings for the shutdown of the daemon. Source: docs/configuration.md, "drain".
package struct DrainSettings: Hashable, Sendable {
    /// The time in milliseconds for which new connections are still accepted. A readiness probe
    /// that runs each second therefore fails before connections are refused.
    package var delayMs = 1000
    /// The time in milliseconds over which the closing of connections is spread.
    package var spreadMs = 2000
    /// The time in milliseconds for which the daemon waits for running loads.
    package var loadsMs = 10_000

    package static let msRange = 0...600_000
    /// One key of the configuration.
    struct Entry: Sendable {
        let name: String
        let meaning: String
        let path: any WritableKeyPath<DrainSettings, Int> & Sendable
    }

    /// All keys, in the order in which they are printed.
    static let all = [
        Entry(
            name: "delayMs",
            meaning: "ms for which connections are still accepted after /readyz answers 503",
            path: \.delayMs),
        Entry(
            name: "spreadMs", meaning: "ms over which the closing of connections is spread",
            path: \.spreadMs),
        Entry(
            name: "loadsMs", meaning: "ms for which running loads may still end",
            path: \.loadsMs),
    ]
    static let keys = all.map(\.name)

    package init() {}
}

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
