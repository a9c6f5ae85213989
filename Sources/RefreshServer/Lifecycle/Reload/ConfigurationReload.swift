package import RefreshConfiguration

/// Reads the configuration again and applies the differences. Source: docs/operations.md, "Reload".
package struct ConfigurationReload {
    /// The current configuration.
    package private(set) var layers: LayeredConfiguration
    private let log: DaemonLog
    private let read: () throws(ConfigurationError) -> LayeredConfiguration
    private let apply: (Configuration) throws(ConfigurationError) -> Void

    /// `read` reads all layers (file, environment and flags) again. `take` applies a configuration
    /// that differs only in options that can change without a restart. If `take` throws, it has
    /// changed nothing.
    package init(
        of layers: LayeredConfiguration, log: DaemonLog,
        read: @escaping () throws(ConfigurationError) -> LayeredConfiguration,
        take: @escaping (Configuration) throws(ConfigurationError) -> Void
    ) {
        self.layers = layers
        self.log = log
        self.read = read
        self.apply = take
    }

    /// Reloads, all or nothing, and logs the result. Returns whether the new configuration was
    /// applied. The result is also true if nothing has changed, or if only the content of files
    /// that the configuration names has changed.
    @discardableResult
    package mutating func run() -> Bool {
        let differences: [ConfigurationDifference]
        do throws(ConfigurationError) {
            let new = try read()
            differences = ConfigurationDifference.between(layers, new)
            let fixed = differences.filter(\.needsRestart)
            guard fixed.isEmpty else {
                throw ConfigurationError(
                    fixed.map {
                        ConfigurationProblem(
                            key: $0.name,
                            "needs a restart: \($0.old ?? "none") -> \($0.new ?? "none")")
                    })
            }
            try apply(new.configuration)
            layers = new
        } catch {
            for problem in error.problems { logRefusal(problem) }
            return false
        }
        if differences.isEmpty { log(.reloaded) }
        for difference in differences {
            log(
                .reloaded,
                [
                    .option: difference.name, .old: difference.old ?? "none",
                    .new: difference.new ?? "none",
                ])
        }
        return true
    }

    private func logRefusal(_ problem: ConfigurationProblem) {
        var values: [LogKey: String] = [:]
        if !problem.key.isEmpty { values[.option] = problem.key }
        var reason = problem
        reason.key = ""
        values[.reason] = reason.description
        log(.reloadRefused, values)
    }
}
