import RefreshBroker
import RefreshProtocol
import Testing

@testable import RefreshConfiguration

/// One mistake in a file, and all that the daemon says of it.
struct Mistake: Sendable, CustomTestStringConvertible {
    var yaml: String
    var said: [String]
    var testDescription: String { yaml }

    init(_ yaml: String, _ said: String...) {
        self.yaml = yaml
        self.said = said
    }
}

@Suite("Configuration file")
struct ConfigurationFileTests {
    static func read(_ text: String) throws -> ConfigurationFile {
        try ConfigurationFile(text: text, path: "etc/refreshd.yaml")
    }

    @Test("a full file is read as written")
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

    @Test("an empty file leaves everything open", arguments: ["", "# nothing\n", "{}\n"])
    func emptyFile(text: String) throws {
        let file = try Self.read(text)
        #expect(file == (try Self.read("feeds: {}")))
        #expect(file.listeners.isEmpty)
        #expect(file.demo == nil)
    }

    @Test("every limit of the table can be set, at both ends of its range")
    func limits() throws {
        for entry in Limits.all {
            for value in [entry.range.lowerBound, entry.range.upperBound] {
                // A `hello` must fit into its frame, whatever it may hold, and a frame into what
                // may come in two seconds.
                let room =
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
                        + "limits: { \(entry.name): \(value)\(room) }")
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
        "each mistake is named with line, column and key",
        arguments: mistakes + tokenMistakes + authMistakes + tlsMistakes + resumeMistakes
            + feedMistakes + backendMistakes)
    func mistake(_ mistake: Mistake) {
        let error = #expect(throws: ConfigurationError.self) { try Self.read(mistake.yaml) }
        #expect(
            error?.problems.map(\.description) == mistake.said.map { "etc/refreshd.yaml:" + $0 })
        #expect(error?.exitStatus == .configuration)
    }

    @Test("a file that is not there is a case of its own")
    func missingFile() {
        let error = #expect(throws: ConfigurationError.self) {
            try ConfigurationFile(path: "/nonexistent/refreshd.yaml")
        }
        #expect(error?.exitStatus == .noInput)
        #expect(error?.description.hasPrefix("/nonexistent/refreshd.yaml: cannot be read") == true)
    }

    @Test("all mistakes of a file are told at once, in its order")
    func allMistakes() {
        let error = #expect(throws: ConfigurationError.self) {
            try Self.read("loops: 0\nfeds: {}\nlog:\n  level: loud\n")
        }
        #expect(error?.problems.map(\.key) == ["feds", "loops", "log.level"])
        #expect(error?.problems.map { $0.location?.line } == [2, 1, 4])
    }
}
