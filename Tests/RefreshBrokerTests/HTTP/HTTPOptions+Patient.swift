import RefreshBroker

extension HTTPOptions {
    /// No deadline but the one that a test is about: the machine may be busy.
    static func patient(_ change: (inout HTTPOptions) -> Void = { _ in }) -> HTTPOptions {
        var options = HTTPOptions()
        options.connectTimeoutMs = 60_000
        options.totalTimeoutMs = 60_000
        change(&options)
        return options
    }
}
