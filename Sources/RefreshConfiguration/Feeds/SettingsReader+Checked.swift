internal import RefreshBroker
internal import Yams

extension SettingsReader {
    /// Returns `options` if `check` accepts them, or reports the error at its key. For an entry of
    /// `backends`, the check runs only if `evenOfPart` is true. Otherwise the check runs for each
    /// of its feeds.
    mutating func checked<Options>(
        _ options: Options, in section: FeedSection, evenOfPart: Bool = false,
        _ check: (Options) throws(BackendConfigurationError) -> Void
    ) -> Options? {
        guard !section.isPart || evenOfPart else { return options }
        do throws(BackendConfigurationError) {
            try check(options)
            return options
        } catch {
            report(error, in: section)
            return nil
        }
    }

    /// Reports a backend's error at the key's value, or at the feed if the key is missing.
    mutating func report(_ error: BackendConfigurationError, in section: FeedSection) {
        let name = String(error.key.prefix { $0 != "." && $0 != "[" })
        let key = section.settings.key(name) + error.key.dropFirst(name.count)
        report(error.message, key: key, at: section.settings[name] ?? section.node)
    }
}
