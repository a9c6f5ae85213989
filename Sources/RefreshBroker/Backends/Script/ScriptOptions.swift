package import RefreshProtocol

/// What a feed of kind `script` is configured with. Source: docs/backends.md, "script".
package struct ScriptOptions: Hashable, Sendable {
    /// What follows the last step.
    package enum Then: String, CaseIterable, Sendable {
        /// The last one again.
        case last
        /// The first.
        case `repeat`
    }

    /// Call n does step n; not empty, at most 10,000.
    package var steps: [ScriptStep]
    package var then = Then.last
    package var paging = PagingStyle.page
    /// What the first request's `page` or `offset` is; nil: 1 for style `page`, else 0.
    package var first: Int?

    package init(_ steps: [ScriptStep]) { self.steps = steps }

    /// Whether there is a step for every call, and each can be done. The key at fault of a step is
    /// as `steps[0].afterMs`.
    package func check() throws(BackendConfigurationError) {
        guard 1...10_000 ~= steps.count else {
            throw BackendConfigurationError("steps", "There must be 1 to 10000.")
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
