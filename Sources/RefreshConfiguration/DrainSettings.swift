/// How the daemon stops. Source: docs/configuration.md, "drain".
package struct DrainSettings: Hashable, Sendable {
    /// How long new connections are still accepted, milliseconds. A probe that runs each second
    /// thus sees that the daemon is not ready before connections are refused.
    package var delayMs = 1000
    /// The time over which the closing of connections is spread, milliseconds.
    package var spreadMs = 2000
    /// How long the daemon waits for running loads, milliseconds.
    package var loadsMs = 10_000

    package static let msRange = 0...600_000
    /// One key of the configuration.
    struct Entry: Sendable {
        let name: String
        let meaning: String
        let path: any WritableKeyPath<DrainSettings, Int> & Sendable
    }

    /// In the order of the file.
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
