package import RefreshProtocol

/// The configuration of a feed of kind `script`. Source: docs/backends.md, "script".
package struct ScriptOptions: Hashable, Sendable {
    /// The behaviour after the last step.
    package enum Then: String, CaseIterable, Sendable {
        /// The last step is repeated.
        case last
        /// The script begins again with its first step.
        case `repeat`
    }

    /// The 1 to 10,000 steps of the script. Call n performs step n.
    package var steps: [ScriptStep]
    package var then = Then.last
    package var paging = PagingStyle.page
    /// The `page` or `offset` of the first request. Nil means the default: 1 for the style `page`,
    /// and 0 for other styles.
    package var first: Int?

    package init(_ steps: [ScriptStep]) { self.steps = steps }

    /// Checks that there are 1 to 10,000 steps and that each is valid. The key of an invalid step
    /// has the form `steps[0].afterMs`.
    package func check() throws(BackendConfigurationError) {
        guard 1...10_000 ~= steps.count else {
            throw BackendConfigurationError("steps", "There must be 1 to 10000 steps.")
        }
        for (index, step) in steps.enumerated() {
            do throws(BackendConfigurationError) {
                try step.check()
            } catch {
                throw BackendConfigurationError("steps[\(index)].\(error.key)", error.message)
            }
        }
    }
}
