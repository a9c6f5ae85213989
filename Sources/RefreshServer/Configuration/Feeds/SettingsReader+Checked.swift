internal import RefreshBroker
internal import Yams

extension SettingsReader {
    /// `options`, if `check` finds them right; what it finds wrong is reported at its key. Of an
    /// entry of `backends` only those `evenOfPart` are checked: others are with its feeds.
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

    /// Tells what a backend found wrong where it stands, or where its feed stands if it is about
    /// what is missing.
    mutating func report(_ error: BackendConfigurationError, in section: FeedSection) {
        let name = String(error.key.prefix { $0 != "." && $0 != "[" })
        let key = section.settings.key(name) + error.key.dropFirst(name.count)
        report(error.message, key: key, at: section.settings[name] ?? section.node)
    }
}
