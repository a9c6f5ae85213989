@testable import RefreshConfiguration
@testable import RefreshServer

/// The properties of every text that is read as a configuration file.
enum ConfigurationProperties {
    /// A folder that does not exist, so that relative paths in the text refer to no file.
    private static let path = "/nonexistent/refreshd.yaml"

    static func check(_ input: [UInt8]) {
        let text = String(decoding: input, as: UTF8.self)
        // A text that names a device is skipped, because the device could be read without end. The
        // daemon trusts the author of a configuration file not to name a device.
        guard !text.contains("/dev"), !text.contains("/proc") else { return }
        do throws(ConfigurationError) {
            // The configuration is compared with the one that is read from its printed form.
            let layers = try LayeredConfiguration(text: text, path: path)
            checkReadBack(layers)
        } catch {
            checkRefusal(error, of: text)
            require(refusal(of: text) == error, "the same text causes the same error twice")
        }
    }

    private static func refusal(of text: String) -> ConfigurationError? {
        do throws(ConfigurationError) {
            _ = try LayeredConfiguration(text: text, path: path)
            return nil
        } catch {
            return error
        }
    }

    private static func checkReadBack(_ layers: LayeredConfiguration) {
        let printed = layers.listing.text(masks: false)
        do throws(ConfigurationError) {
            let again = try LayeredConfiguration(text: printed, path: path)
            // Only the values are compared, in the order of the file. Their positions and sources
            // may differ.
            let values = { (layers: LayeredConfiguration) in
                layers.listing.entries.map { ($0.path + [$0.value]).joined(separator: "\u{0}") }
            }
            require(
                values(again) == values(layers),
                "a printed configuration is printed equally again\n\(printed)")
            require(
                placeless(again.configuration.feeds) == placeless(layers.configuration.feeds)
                    && again.configuration.limits == layers.configuration.limits
                    && again.configuration.listeners == layers.configuration.listeners,
                "a printed configuration is read as the same settings\n\(printed)")
        } catch {
            require(false, "a printed configuration can be read: \(error)\n\(printed)")
        }
    }

    private static func placeless(_ feeds: [FeedSettings]) -> [FeedSettings] {
        feeds.map { feed in
            var feed = feed
            feed.location = nil
            return feed
        }
    }

    private static func checkRefusal(_ error: ConfigurationError, of text: String) {
        let lines = text.unicodeScalars.reduce(into: 1) { lines, scalar in
            // The characters that YAML treats as line ends.
            lines += ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"].contains(scalar) ? 1 : 0
        }
        require(!error.problems.isEmpty, "a rejected configuration has problems")
        for problem in error.problems {
            require(!problem.message.isEmpty, "a problem has a message")
            guard let place = problem.location else { continue }
            require(place.file == path, "a problem is located in the file")
            require(
                (0...lines + 1).contains(place.line),
                "a problem is located at a line of the file: \(problem)")
        }
    }
}
