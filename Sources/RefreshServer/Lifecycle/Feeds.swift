internal import Glibc
internal import RefreshBroker
internal import RefreshProtocol
internal import WebClient

/// Makes of the configured feeds what the broker, the sessions and the metrics know of them.
struct Feeds {
    let backends: [String: any Backend]
    let descriptions: [FeedDescription]
    let measured: [MeasuredFeed]
    /// By which backends say that a feed has newer data.
    let notices = FeedNotices()

    init(_ configuration: Configuration) throws(ConfigurationError) {
        var backends: [String: any Backend] = [:]
        var problems: [ConfigurationProblem] = []
        for feed in configuration.feeds {
            do throws(BackendConfigurationError) {
                backends[feed.name] = try Self.backend(of: feed, configuration)
            } catch {
                problems.append(
                    ConfigurationProblem(
                        at: feed.place, key: "feeds.\(feed.name).\(error.key)", error.message))
            }
        }
        if !problems.isEmpty { throw ConfigurationError(problems) }
        self.backends = backends
        descriptions = configuration.feeds.map {
            FeedDescription(
                name: $0.name, parameters: $0.parameters, style: $0.paging, first: $0.first,
                size: $0.size)
        }
        measured = configuration.feeds.map {
            MeasuredFeed(name: $0.name, backend: $0.source.name)
        }
    }

    /// What the broker works with.
    func plan(_ limits: Limits) -> BrokerPlan {
        BrokerPlan(
            feeds: Dictionary(
                uniqueKeysWithValues: backends.map {
                    ($0.key, BrokerPlan.Feed($0.value, group: $0.key))
                }),
            loadsInFlightMax: limits.loadsInFlightMax, cacheBytesMax: limits.cacheBytesMax)
    }

    private static func backend(
        of feed: FeedSettings, _ configuration: Configuration
    ) throws(BackendConfigurationError) -> any Backend {
        switch feed.source {
        case .demo:
            return try DemoBackend(
                statusFile: configuration.packageStatusFile, fallback: WebClient.packagesJSON,
                paging: feed.paging, firstPage: feed.first)
        case .file(let path, let format):
            return try FileBackend(
                path: path, format: format, paging: feed.paging, firstPage: feed.first,
                answerBytesMax: configuration.limits.backendResponseBytesMax)
        case .http(let url, let connectTimeoutMs, let totalTimeoutMs, let responseBytesMax):
            var options = HTTPOptions()
            options.connectTimeoutMs = connectTimeoutMs
            options.totalTimeoutMs = totalTimeoutMs
            options.responseBytesMax = responseBytesMax
            return try HTTPBackend(
                url: url, parameters: feed.parameters.map(\.name), options: options)
        }
    }
}
