import RefreshBroker
import RefreshProtocol
import Testing

@testable import RefreshConfiguration

/// A file with a mistake, and the messages that the mistake causes.
struct Mistake: Sendable, CustomTestStringConvertible {
    var yaml: String
    var messages: [String]
    var testDescription: String { yaml }

    init(_ yaml: String, _ messages: String...) {
        self.yaml = yaml
        self.messages = messages
    }
}

@Suite("Configuration files")
struct ConfigurationFileTests {
    static func read(_ text: String) throws -> ConfigurationFile {
        try ConfigurationFile(text: text, path: "etc/refreshd.yaml")
    }

    @Test("A file with many keys is read with all its values")
    func fullFile() throws {
        let file = try Self.read(
            """
            listen: [127.0.0.1:0, "[::1]:8081", "localhost:8082"]
            loops: 3
            demo: true
            origins: [https://App.example.org, "http://lan:8000"]
            limits: { sessionsMax: 12, frameBytesMax: 65537 }
            log: { level: debug, format: json }
            feeds:
              packages: { backend: demo, size: 10 }
              songs: { backend: file, path: songs.csv, format: csv, paging: offset, first: 1 }
              orders:
                backend: http
                url: "http://127.0.0.1:9000/orders?page={page}&q={parameter:q}"
                parameters: [q]
                paging: cursor
                size: 7
                connectTimeoutMs: 50
                totalTimeoutMs: 60
                responseBytesMax: 2048
            """)
        #expect(
            file.listeners.map(\.description) == [
                "127.0.0.1:0", "[::1]:8081", "localhost:8082",
            ])
        #expect(file.loops == 3)
        #expect(file.demo == true)
        #expect(
            file.origins
                == Set(
                    ["https://app.example.org", "http://lan:8000"].compactMap { WebOrigin($0) }))
        #expect(file.limits.sessionsMax == 12)
        #expect(file.limits.frameBytesMax == 65_537)
        #expect(file.limits.loadDeadlineMs == Limits().loadDeadlineMs)
        #expect(file.logLevel == .debug)
        #expect(file.logFormat == .json)
        #expect(file.feeds.map(\.name) == ["packages", "songs", "orders"])
        #expect(file.feeds.map { $0.location?.line } == [8, 9, 10])
        #expect(file.feeds.map { $0.location?.column } == [3, 3, 3])
        #expect(file.feeds.map(\.backend.kind) == [.demo, .file, .http])
        #expect(file.feeds.map(\.paging) == [.page, .offset, .cursor])
        #expect(file.feeds.map(\.first) == [1, 1, 0])
        #expect(file.feeds.map(\.size) == [10, 20, 7])
        #expect(file.feeds.map(\.group) == ["packages", "songs", "orders"])
        #expect(file.feeds.map(\.parameters) == [[], [], ["q"]])
    }

    @Test("In an empty file, no setting has a value", arguments: ["", "# nothing\n", "{}\n"])
    func emptyFile(text: String) throws {
        let file = try Self.read(text)
        #expect(file == (try Self.read("feeds: {}")))
        #expect(file.listeners.isEmpty)
        #expect(file.demo == nil)
    }

    @Test("Every limit can be set to both bounds of its range, but not beyond them")
    func limits() throws {
        for entry in Limits.all {
            for value in [entry.range.lowerBound, entry.range.upperBound] {
                // A `hello` of maximum size must fit into a frame, and a frame into the bytes that
                // may be received in two seconds.
                let otherLimits =
                    switch entry.name {
                    case "frameBytesMax": ", tokenBytesMax: 64, receivedBytesPerSecondMax: 8388608"
                    case "receivedBytesPerSecondMax": ", tokenBytesMax: 64, frameBytesMax: 2048"
                    case "tokenBytesMax", "snapshotBytesMax":
                        ", frameBytesMax: 16777216, receivedBytesPerSecondMax: 8388608"
                    default: ""
                    }
                let isSmall = ["frameBytesMax", "receivedBytesPerSecondMax"].contains(entry.name)
                let file = try Self.read(
                    "resume: { snapshots: \(!isSmall) }\n"
                        + "limits: { \(entry.name): \(value)\(otherLimits) }")
                #expect(file.limits[entry.name] == value)
            }
            for value in [entry.range.lowerBound - 1, entry.range.upperBound + 1] {
                #expect(throws: ConfigurationError.self) {
                    try Self.read("limits: { \(entry.name): \(value) }")
                }
            }
        }
    }

    @Test(
        "Each mistake is reported with line, column and key",
        arguments: mistakes + tokenMistakes + authMistakes + tlsMistakes + resumeMistakes
            + clusterMistakes + feedMistakes + backendMistakes)
    func mistake(_ mistake: Mistake) {
        let error = #expect(throws: ConfigurationError.self) { try Self.read(mistake.yaml) }
        #expect(
            error?.problems.map(\.description) == mistake.messages.map { "etc/refreshd.yaml:" + $0 }
        )
        #expect(error?.exitStatus == .configuration)
    }

    @Test("For a missing file, the exit status is `noInput`")
    func missingFile() {
        let error = #expect(throws: ConfigurationError.self) {
            try ConfigurationFile(path: "/nonexistent/refreshd.yaml")
        }
        #expect(error?.exitStatus == .noInput)
        #expect(error?.description.hasPrefix("/nonexistent/refreshd.yaml: cannot be read") == true)
    }

    @Test("All mistakes of a file are reported together, and unknown keys come first")
    func allMistakes() {
        let error = #expect(throws: ConfigurationError.self) {
            try Self.read("loops: 0\nfeds: {}\nlog:\n  level: loud\n")
        }
        #expect(error?.problems.map(\.key) == ["feds", "loops", "log.level"])
        #expect(error?.problems.map { $0.location?.line } == [2, 1, 4])
    }
}
