internal import WebSocketTransport

// Rules that concern several settings, or flags together with the file.
extension Configuration {
    /// Returns the listeners of the first source that has any. The sources are, in this order:
    /// socket activation, the flags, the file, and the default.
    static func listeners(
        _ flags: ConfigurationFlags, _ file: ConfigurationFile?
    ) -> [ListenAddress] {
        if let given = flags.activation?.listeners, !given.isEmpty { return given.map(\.address) }
        return namedListeners(flags, file)
    }

    /// Returns the listeners that apply without socket activation: those of the flags, of the file,
    /// or the default.
    static func namedListeners(
        _ flags: ConfigurationFlags, _ file: ConfigurationFile?
    ) -> [ListenAddress] {
        if !flags.listeners.isEmpty { return flags.listeners }
        guard let configured = file?.listeners, !configured.isEmpty else { return [.standard] }
        return configured
    }

    /// Returns the admin listeners that were passed by socket activation or, if there are none, the
    /// configured admin listeners.
    static func adminListeners(
        _ flags: ConfigurationFlags, _ file: ConfigurationFile?
    ) -> [ListenAddress] {
        let given = flags.activation?.adminListeners ?? []
        return given.isEmpty ? namedAdminListeners(flags, file) : given.map(\.address)
    }

    /// Returns the admin listeners of the flags or, if there are none, those of the file.
    private static func namedAdminListeners(
        _ flags: ConfigurationFlags, _ file: ConfigurationFile?
    ) -> [ListenAddress] {
        flags.adminListeners.isEmpty ? file?.adminListeners ?? [] : flags.adminListeners
    }

    /// Returns the notes for the operator about sockets that the service manager passed to the
    /// daemon.
    static func activationNotes(
        _ flags: ConfigurationFlags, _ file: ConfigurationFile?
    ) -> [String] {
        guard let activation = flags.activation else { return [] }
        return ActivationNotes(
            activation, listeners: namedListeners(flags, file),
            admin: namedAdminListeners(flags, file)
        ).texts
    }

    static func check(loops: Int) throws(ConfigurationError) {
        guard loopsRange.contains(loops) else {
            throw ConfigurationError(
                "--loops: \(loops) is out of range; \(loopsRange.lowerBound) to "
                    + "\(loopsRange.upperBound)",
                exitStatus: .usage)
        }
    }

    /// Checks the settings that are required if other machines can connect.
    static func check(
        _ listeners: [ListenAddress], _ flags: ConfigurationFlags, _ file: ConfigurationFile?
    ) throws(ConfigurationError) {
        if let open = listeners.first(where: { !$0.isLoopback }) {
            guard let file, file.isWritten else {
                throw ConfigurationError(
                    "\(open) can be reached from other machines; this requires a configuration "
                        + "file (--config) that states what is served there, and to which origins")
            }
            if file.auth == nil {
                throw ConfigurationError(
                    "auth is missing: \(open) can be reached from other machines; set how clients "
                        + "authenticate, or allow every client: auth: { mode: none }")
            }
            if flags.servesEcho {
                throw ConfigurationError(
                    "--conformance-echo requires loopback listeners; \(open) can be reached from "
                        + "other machines")
            }
        }
        if let open = flags.adminListeners.first(where: { !$0.isLoopback }) {
            throw ConfigurationError(
                "--admin: \(open) can be reached from other machines; use 127.0.0.0/8, [::1] or "
                    + "localhost",
                exitStatus: .usage)
        }
        if let file, file.auth == nil, !file.proxies.ranges.isEmpty {
            throw ConfigurationError(
                "auth is missing: clients on other machines can connect through `proxies`; set how "
                    + "clients authenticate, or allow every client: auth: { mode: none }")
        }
    }

    /// Checks that no two listeners have overlapping addresses, because only one of them could be
    /// bound.
    static func checkForOverlaps(
        _ listeners: [ListenAddress], _ admin: [ListenAddress], _ activation: SocketActivation?
    ) throws(ConfigurationError) {
        // Sockets that were passed to the daemon are already bound, so no two of them are compared.
        let all: [(key: String, address: ListenAddress, isGiven: Bool)] =
            listeners.map { ("listen", $0, activation?.listeners.isEmpty == false) }
            + admin.map { ("admin", $0, activation?.adminListeners.isEmpty == false) }
        var problems: [ConfigurationProblem] = []
        for (index, later) in all.enumerated() {
            for earlier in all[..<index]
            where !(earlier.isGiven && later.isGiven) && earlier.address.overlaps(later.address) {
                problems.append(
                    ConfigurationProblem(
                        key: later.key,
                        "\(later.address) overlaps \(earlier.address) of `\(earlier.key)`"))
            }
        }
        if !problems.isEmpty { throw ConfigurationError(problems) }
    }

    /// Returns the feeds of the file. If the demo is served, the feeds of the demo are added. A
    /// feed of the demo is left out if the file has a feed with the same name.
    static func feeds(
        _ file: ConfigurationFile?, servesDemo: Bool
    ) throws(ConfigurationError) -> [FeedSettings] {
        var feeds = file?.feeds ?? []
        guard servesDemo else { return feeds }
        let names = Set(feeds.map(\.name))
        for feed in FeedSettings.demoFeeds where !names.contains(feed.name) {
            guard file?.backendPolicies[feed.group] == nil else {
                throw ConfigurationError(
                    "backends.\(feed.group): a feed of the demo has this name; "
                        + "the backend needs another name")
            }
            feeds.append(feed)
        }
        return feeds
    }
}
