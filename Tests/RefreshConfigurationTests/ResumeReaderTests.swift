import Testing

@testable import RefreshConfiguration

@Suite("Reading how sessions come back")
struct ResumeReaderTests {
    private static func settings(
        _ text: String, stateFolder: String? = nil
    ) throws -> ResumeSettings {
        var flags = ConfigurationFlags()
        flags.stateFolder = stateFolder
        let file = try ConfigurationFile(text: text, path: "/etc/refreshd/refreshd.yaml")
        return try Configuration(flags: flags, file: file).resume
    }

    @Test("nothing said: snapshots are given, under a key that dies with the process")
    func nothing() throws {
        #expect(try Self.settings("demo: true") == ResumeSettings())
        #expect(ResumeSettings().snapshots)
    }

    @Test("keys stand in their order, and their files begin in the folder of the configuration")
    func keys() throws {
        let settings = try Self.settings(
            "resume: { keys: [ { id: k2, file: k2.key }, { id: k_1-a, file: /x/k1.key } ] }")
        #expect(
            settings.keys == [
                .init(id: "k2", file: "/etc/refreshd/k2.key"),
                .init(id: "k_1-a", file: "/x/k1.key"),
            ])
    }

    @Test("a state folder that is configured wins over the service manager's")
    func stateFolder() throws {
        #expect(try Self.settings("demo: true", stateFolder: "/a").stateFolder == "/a")
        let text = "resume: { stateFolder: state }"
        #expect(try Self.settings(text).stateFolder == "/etc/refreshd/state")
        #expect(try Self.settings(text, stateFolder: "/a").stateFolder == "/etc/refreshd/state")
    }

    @Test(
        "a hello with all that it may come back with fits into one frame, where anything is given")
    func roomForHello() throws {
        let exact = "limits: { frameBytesMax: 2112, snapshotBytesMax: 1536, tokenBytesMax: 64 }"
        #expect(throws: Never.self) { try Self.settings(exact) }
        let small = "limits: { frameBytesMax: 1024, tokenBytesMax: 64 }"
        #expect(throws: Never.self) { try Self.settings("resume: { snapshots: false }\n" + small) }
        #expect(throws: (any Error).self) { try Self.settings(small) }
    }

    @Test("a message of frameBytesMax is as long as what is let in at once, or shorter")
    func roomForMessage() throws {
        let exact = "limits: { receivedBytesPerSecondMax: 32768 }"
        #expect(throws: Never.self) { try Self.settings(exact) }
        #expect(throws: (any Error).self) {
            try Self.settings("limits: { receivedBytesPerSecondMax: 32767 }")
        }
    }

    @Test("snapshots can be switched off")
    func off() throws {
        #expect(try !Self.settings("resume: { snapshots: false }").snapshots)
    }
}
