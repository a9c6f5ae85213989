/// The settings for the shutdown of the daemon. Source: docs/configuration.md, "drain".
package struct DrainSettings: Hashable, Sendable {
    /// The time in milliseconds between the report that the daemon is not ready and the refusal of
    /// new connections. With the default, a readiness probe that runs each second fails before
    /// connections are refused.
    package var delayMs = 1000
    /// The time in milliseconds over which the closing of connections is spread.
    package var spreadMs = 2000
    /// The time in milliseconds for which the daemon waits for running loads.
    package var loadsMs = 10_000

    /// One key of the configuration.
    struct Entry: Sendable {
        let name: String
        let meaning: String
        let path: any WritableKeyPath<DrainSettings, Int> & Sendable

        var key: SettingsKey {
            SettingsKey(
                name, .integer(0...600_000), meaning: meaning,
                standard: DrainSettings()[keyPath: path].description)
        }
    }

    /// All keys, in the order in which they are printed.
    static let all = [
        Entry(
            name: "delayMs",
            meaning: "ms between the first 503 of /readyz and the refusal of new connections",
            path: \.delayMs),
        Entry(
            name: "spreadMs",
            meaning: "ms over which the daemon distributes the closing of connections",
            path: \.spreadMs),
        Entry(
            name: "loadsMs",
            meaning: "ms after which the daemon no longer waits for running loads",
            path: \.loadsMs),
    ]

    package init() {}

    /// Reads `drain` of a configuration file.
    init(_ top: SettingsMapping, with reader: inout SettingsReader) {
        guard let keys = reader.table("drain", in: top) else { return }
        for entry in Self.all {
            guard let value = reader.integer(entry.name, in: keys) else { continue }
            self[keyPath: entry.path] = value
        }
    }
}
