/// Has a daemon read its configuration again and take up what is different. Source:
/// docs/operations.md, "Reload".
package struct ConfigurationReload {
    /// What holds.
    package private(set) var layers: LayeredConfiguration
    private let log: DaemonLog
    private let read: () throws(ConfigurationError) -> LayeredConfiguration
    private let take: (Configuration) throws(ConfigurationError) -> Void

    /// `read` reads all layers again; `take` takes up a configuration that differs only in what can
    /// change, or changes nothing and throws.
    package init(
        of layers: LayeredConfiguration, log: DaemonLog,
        read: @escaping () throws(ConfigurationError) -> LayeredConfiguration,
        take: @escaping (Configuration) throws(ConfigurationError) -> Void
    ) {
        self.layers = layers
        self.log = log
        self.read = read
        self.take = take
    }

    /// All or nothing, and the log says which. Whether another configuration holds now; also true
    /// where nothing is different but what files hold that it names.
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
            try take(new.configuration)
            layers = new
        } catch {
            for problem in error.problems { refuse(problem) }
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

    private func refuse(_ problem: ConfigurationProblem) {
        var values: [LogKey: String] = [:]
        if !problem.key.isEmpty { values[.option] = problem.key }
        var reason = problem
        reason.key = ""
        values[.reason] = reason.description
        log(.reloadRefused, values)
    }
}
