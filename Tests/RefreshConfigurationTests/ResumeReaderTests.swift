import Testing

@testable import RefreshConfiguration

@Suite("The settings for resuming sessions")
struct ResumeReaderTests {
    private static func settings(
        _ text: String, stateFolder: String? = nil
    ) throws -> ResumeSettings {
        var flags = ConfigurationFlags()
        flags.stateFolder = stateFolder
        let file = try ConfigurationFile(text: text, path: "/etc/refreshd/refreshd.yaml")
        return try Configuration(flags: flags, file: file).resume
    }

    @Test("By default, snapshots are sent, and neither keys nor a state folder are set")
    func nothing() throws {
        #expect(try Self.settings("demo: true") == ResumeSettings())
        #expect(ResumeSettings().snapshots)
    }

    @Test("Keys are read in order, and paths may be relative to the configuration file's folder")
    func keys() throws {
        let settings = try Self.settings(
            "resume: { keys: [ { id: k2, file: k2.key }, { id: k_1-a, file: /x/k1.key } ] }")
        #expect(
            settings.keys == [
                .init(id: "k2", file: "/etc/refreshd/k2.key"),
                .init(id: "k_1-a", file: "/x/k1.key"),
            ])
    }

    @Test("A configured state folder overrides that of the service manager")
    func stateFolder() throws {
        #expect(try Self.settings("demo: true", stateFolder: "/a").stateFolder == "/a")
        let text = "resume: { stateFolder: state }"
        #expect(try Self.settings(text).stateFolder == "/etc/refreshd/state")
        #expect(try Self.settings(text, stateFolder: "/a").stateFolder == "/etc/refreshd/state")
    }

    @Test(
        "A frame limit that is too small for a hello with token and snapshot is refused")
    func roomForHello() throws {
        let exact = "limits: { frameBytesMax: 2112, snapshotBytesMax: 1536, tokenBytesMax: 64 }"
        #expect(throws: Never.self) { try Self.settings(exact) }
        let small = "limits: { frameBytesMax: 1024, tokenBytesMax: 64 }"
        #expect(throws: Never.self) { try Self.settings("resume: { snapshots: false }\n" + small) }
        #expect(throws: (any Error).self) { try Self.settings(small) }
    }

    @Test("A frame limit above twice receivedBytesPerSecondMax is refused")
    func roomForMessage() throws {
        let exact = "limits: { receivedBytesPerSecondMax: 32768 }"
        #expect(throws: Never.self) { try Self.settings(exact) }
        #expect(throws: (any Error).self) {
            try Self.settings("limits: { receivedBytesPerSecondMax: 32767 }")
        }
    }

    @Test("If `snapshots` is false, no snapshots are sent")
    func off() throws {
        #expect(try !Self.settings("resume: { snapshots: false }").snapshots)
    }
}
