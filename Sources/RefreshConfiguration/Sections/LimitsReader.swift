internal import RefreshProtocol
internal import Yams

/// Reads `limits` of a configuration file. Source: docs/configuration.md, "limits".
enum LimitsReader {
    static func limits(_ top: SettingsMapping, with reader: inout SettingsReader) -> Limits {
        var limits = Limits()
        guard let keys = reader.table("limits", in: top) else { return limits }
        for entry in Limits.all {
            guard let value = reader.integer(entry.name, in: keys) else { continue }
            limits[keyPath: entry.path] = value
        }
        return limits
    }

    // MARK: Rules of several limits

    /// Checks the limits if the file sets any. `resume` decides whether a `hello` may contain a
    /// snapshot.
    static func check(
        _ limits: Limits, _ resume: ResumeSettings?, of top: SettingsMapping,
        with reader: inout SettingsReader
    ) {
        guard let node = top["limits"] else { return }
        checkHelloFits(limits, resume, at: node, with: &reader)
        checkRate(limits, at: node, with: &reader)
    }

    /// Checks that a `hello` fits into a frame. A client that resumes sends its token and its
    /// snapshot in one `hello`.
    private static func checkHelloFits(
        _ limits: Limits, _ resume: ResumeSettings?, at node: Node,
        with reader: inout SettingsReader
    ) {
        let gives = limits.resumeWindowMs > 0 && resume?.snapshots ?? true
        let needed =
            limits.tokenBytesMax + (gives ? limits.snapshotBytesMax : 0) + helloBytes
        guard needed > limits.frameBytesMax else { return }
        let parts = gives ? "`tokenBytesMax`, `snapshotBytesMax`" : "`tokenBytesMax`"
        reader.report(
            "a `hello` of \(parts) and \(helloBytes) bytes may have \(needed) bytes, "
                + "which is more than `frameBytesMax`, \(limits.frameBytesMax)",
            key: "limits", at: node)
    }

    /// Checks that the rate limit accepts a message of the maximum size if no message precedes it.
    private static func checkRate(
        _ limits: Limits, at node: Node, with reader: inout SettingsReader
    ) {
        let atOnce = 2 * limits.receivedBytesPerSecondMax
        guard limits.frameBytesMax > atOnce else { return }
        reader.report(
            "a message may have `frameBytesMax` bytes, \(limits.frameBytesMax), which is more than "
                + "twice `receivedBytesPerSecondMax`, \(atOnce): it would never be accepted",
            key: "limits", at: node)
    }

    /// The size, in bytes, that is assumed for a `hello` without its token and snapshot. Source:
    /// docs/configuration.md, "limits".
    private static let helloBytes = 512
}
