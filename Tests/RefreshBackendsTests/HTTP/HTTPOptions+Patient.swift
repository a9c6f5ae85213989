import RefreshBackends

extension HTTPOptions {
    /// Returns options with long timeouts, because the machine may be busy. `change` sets the
    /// timeout that a test is about.
    static func patient(_ change: (inout HTTPOptions) -> Void = { _ in }) -> HTTPOptions {
        var options = HTTPOptions()
        options.connectTimeoutMs = 60_000
        options.totalTimeoutMs = 60_000
        change(&options)
        return options
    }
}
