import Cryptography
import Foundation
import Glibc
import RefreshBroker
import Testing
import Workbench

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import SealedSnapshots

/// The sources of snapshot keys. All processes that use one key file must get the same key from it.
@Suite("Snapshot keys")
struct KeyRingTests {
    private static let text = Data([UInt8](repeating: 7, count: 32)).base64EncodedString()

    private static func file(_ text: String, mode: Int = 0o600) throws -> TemporaryFile {
        let file = try TemporaryFile("key", text)
        try FileManager.default.setAttributes(
            [.posixPermissions: mode], ofItemAtPath: file.path)
        return file
    }

    private static func folder() throws -> TemporaryFile {
        // The path of a state folder that does not exist yet.
        try TemporaryFile("state")
    }

    @Test("A key file contains 32 bytes in base 64, with or without a line break at the end")
    func reads() throws {
        for text in [Self.text, Self.text + "\n", " \(Self.text)\r\n"] {
            let file = try Self.file(text)
            let read = try KeyFile(path: file.path, id: "k1")
            #expect(read.key.id == "k1")
            #expect(read.key.secret.bytes == [UInt8](repeating: 7, count: 32))
            #expect(!read.isOpenToOthers)
        }
    }

    @Test("A file without a valid key is refused with a reason")
    func refuses() throws {
        let short = Data([UInt8](repeating: 7, count: 31)).base64EncodedString()
        for text in ["", "\n", short, Self.text + Self.text, Self.text + "x", "password"] {
            let file = try Self.file(text)
            #expect(throws: KeyFile.Refusal.self, "\(text)") { try KeyFile(path: file.path) }
        }
        #expect(throws: KeyFile.Refusal.self) { try KeyFile(path: "/nowhere/key") }
        #expect(throws: KeyFile.Refusal.self) { try KeyFile(path: "/dev") }
        #expect(throws: KeyFile.Refusal.self) { try KeyFile(path: "/dev/zero") }
    }

    @Test(
        "A key file that other users can open is reported", arguments: [0o640, 0o604, 0o620, 0o666])
    func isOpen(mode: Int) throws {
        let file = try Self.file(Self.text, mode: mode)
        #expect(try KeyFile(path: file.path).isOpenToOthers)
        let log = LogRecorder()
        _ = try KeyRing(
            ResumeSettings(keys: [.init(id: "k1", file: file.path)]), log: log.log)
        #expect(log.lines == ["warning key file is open to others file=\(file.path)"])
    }

    @Test("The first configured key seals snapshots, and every configured key opens them")
    func configured() throws {
        let (one, other) = (
            try Self.file(Self.text),
            try Self.file(Data([UInt8](repeating: 8, count: 32)).base64EncodedString())
        )
        let log = LogRecorder()
        let ring = try KeyRing(
            ResumeSettings(
                keys: [.init(id: "k2", file: other.path), .init(id: "k1", file: one.path)],
                stateFolder: "/nowhere"), log: log.log)
        #expect(ring.sealingKey.id == "k2")
        #expect(ring.key(named: "k1")?.secret.bytes.first == 7)
        #expect(ring.key(named: "k2")?.secret.bytes.first == 8)
        #expect(ring.key(named: "k3") == nil)
        #expect(log.lines.isEmpty)
    }

    @Test("The error names all files without a valid key")
    func problems() throws {
        let settings = ResumeSettings(
            keys: [.init(id: "a", file: "/nowhere/a"), .init(id: "b", file: "/nowhere/b")])
        let expected = [
            "resume.keys[0].file: no key in the file: cannot be read: there is no such file",
            "resume.keys[1].file: no key in the file: cannot be read: there is no such file",
        ]
        let error = #expect(throws: ConfigurationError.self) {
            try KeyRing(settings, log: .silent)
        }
        #expect(error?.problems.map(\.description) == expected)
        let checked = #expect(throws: ConfigurationError.self) { try KeyRing.check(settings) }
        #expect(checked == error)
    }

    @Test("In a state folder, a key is created once, with access only for its owner, and reused")
    func kept() throws {
        let folder = try Self.folder()
        let settings = ResumeSettings(stateFolder: folder.path)
        let log = LogRecorder()
        let made = "notice snapshot key made file=\(folder.path)/snapshot.key"
        try KeyRing.check(settings)
        #expect(!FileManager.default.fileExists(atPath: folder.path))
        let first = try KeyRing(settings, log: log.log)
        #expect(log.lines == [made])
        let path = folder.path + "/snapshot.key"
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        let second = try KeyRing(settings, log: log.log)
        #expect(log.lines == [made])
        #expect(second.sealingKey.id == first.sealingKey.id)
        #expect(second.sealingKey.secret == first.sealingKey.secret)
        #expect(second.itemHash == first.itemHash)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["snapshot.key"])
        try KeyRing.check(settings)
    }

    @Test("A damaged key file in the state folder is refused and not replaced")
    func damaged() throws {
        let folder = try Self.folder()
        try FileManager.default.createDirectory(
            atPath: folder.path, withIntermediateDirectories: false)
        try Data("half".utf8).write(to: URL(filePath: folder.path + "/snapshot.key"))
        let settings = ResumeSettings(stateFolder: folder.path)
        #expect(throws: ConfigurationError.self) { try KeyRing(settings, log: .silent) }
        #expect(throws: ConfigurationError.self) { try KeyRing.check(settings) }
        #expect(
            try Data(contentsOf: URL(filePath: folder.path + "/snapshot.key")) == Data("half".utf8))
    }

    private static func configuration(_ yaml: String) throws -> Configuration {
        try Configuration(
            file: ConfigurationFile(text: "auth: { mode: none }\n" + yaml, path: "/etc/r.yaml"))
    }

    @Test("If a reload removes the configured keys, they become void, and a new key is created")
    func taken() throws {
        let file = try Self.file(Self.text)
        let folder = try Self.folder()
        let log = LogRecorder()
        let yaml = "resume: { keys: [{ id: k1, file: \(file.path) }]"
        let with = try Self.configuration(yaml + ", stateFolder: \(folder.path) }")
        let seal = SnapshotSeal(
            try KeyRing(with.resume, log: log.log), limits: with.limits)
        let reload = SnapshotKeyReload(seal, log: log.log)
        // The reload is prepared but not applied, as if another part of it had failed. So no key is
        // created.
        let without = try Self.configuration("resume: { stateFolder: \(folder.path) }")
        _ = try reload.prepare(without)
        #expect(!FileManager.default.fileExists(atPath: folder.path))
        #expect(seal.currentKeys.sealingKey.id == "k1" && log.lines.isEmpty)
        try reload.prepare(without)()
        #expect(seal.currentKeys.key(named: "k1") == nil)
        #expect(FileManager.default.fileExists(atPath: folder.path + "/snapshot.key"))
        #expect(log.lines == ["notice snapshot key made file=\(folder.path)/snapshot.key"])
        try reload.prepare(with)()
        #expect(seal.currentKeys.sealingKey.id == "k1")
        let nothing = try Self.configuration("limits: { sessionsMax: 5 }")
        try reload.prepare(nothing)()
        #expect(seal.currentKeys.key(named: "k1") == nil && seal.currentKeys.isEphemeral)
        #expect(log.lines.last == "notice snapshots end with the process option=resume.keys")
        // Later reloads keep the ephemeral key, so its snapshots stay valid.
        let (id, count) = (seal.currentKeys.sealingKey.id, log.lines.count)
        try reload.prepare(nothing)()
        #expect(seal.currentKeys.sealingKey.id == id && log.lines.count == count)
    }

    @Test("A key file that other users can read is reported at each reload")
    func isOpenAtReload() throws {
        let file = try Self.file(Self.text, mode: 0o644)
        let log = LogRecorder()
        let settings = try Self.configuration("resume: { keys: [{ id: k1, file: \(file.path) }] }")
        let seal = SnapshotSeal(.ephemeral(), limits: settings.limits)
        let reload = SnapshotKeyReload(seal, log: log.log)
        try reload.prepare(settings)()
        #expect(log.lines == ["warning key file is open to others file=\(file.path)"])
    }

    @Test("Only regular files are read, and a file larger than the limit is refused")
    func bounded() throws {
        let pipe = try TemporaryFile("pipe")
        #expect(unsafe mkfifo(pipe.path, 0o600) == 0)
        func reason(_ path: String, most: Int = 10) -> String? {
            do throws(NamedFile.Refusal) {
                _ = try NamedFile(path: path, bytesMax: most)
                return nil
            } catch {
                return error.reason
            }
        }
        for path in [pipe.path, "/dev/zero", "/dev"] {
            #expect(reason(path) == "cannot be read: it is not a regular file", "\(path)")
        }
        #expect(throws: ConfigurationError.self) { try ConfigurationFile(path: pipe.path) }
        let text = try TemporaryFile("text", "0123456789")
        #expect(try NamedFile(path: text.path, bytesMax: 10).bytes.count == 10)
        #expect(reason(text.path, most: 9) == "larger than 9 bytes")
        let large = try TemporaryFile("large", String(repeating: "x", count: 200_000))
        #expect(try NamedFile(path: large.path, bytesMax: 200_000).bytes.count == 200_000)
        #expect(reason(large.path, most: 199_999) == "larger than 199999 bytes")
    }

    @Test("A state folder in which no file can be created is refused")
    func noFolder() throws {
        let file = try TemporaryFile("file", "")
        let error = #expect(throws: ConfigurationError.self) {
            try KeyRing(ResumeSettings(stateFolder: file.path), log: .silent)
        }
        #expect(
            error?.description.hasPrefix(
                "resume.stateFolder: no key in `\(file.path)/snapshot.key`") == true)
        #expect(throws: ConfigurationError.self) {
            try KeyRing(ResumeSettings(stateFolder: "/nowhere/state"), log: .silent)
        }
    }

    @Test("If several processes start at once, one of them creates the key, and all use it")
    func race() async throws {
        for _ in 0..<20 {
            let folder = try Self.folder()
            let rings = await withTaskGroup(of: (SealingKey, Bool)?.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        let kept = try? KeyFile.loadOrCreate(
                            in: folder.path, name: KeyRing.fileName)
                        return kept.map { ($0.0.key, $0.isNew) }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            let keys = rings.compactMap(\.self)
            try #require(keys.count == 8)
            #expect(Set(keys.map(\.0.id)).count == 1)
            #expect(keys.count { $0.1 } == 1)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder.path)
                    == ["snapshot.key"])
        }
    }

    @Test("Without a state folder, the key ends with the process, and the log reports that")
    func ephemeral() throws {
        let log = LogRecorder()
        let (one, other) = (
            try KeyRing(ResumeSettings(), log: log.log), try KeyRing(ResumeSettings(), log: .silent)
        )
        #expect(log.lines == ["notice snapshots end with the process option=resume.keys"])
        #expect(one.sealingKey.secret != other.sealingKey.secret)
        #expect(one.sealingKey.id != other.sealingKey.id)
        #expect(one.itemHash != other.itemHash)
    }

    @Test("The hash of items depends only on the first key: another first key gives another hash")
    func itemHash() throws {
        func key(_ byte: UInt8) -> SealingKey {
            SealingKey(id: "k", secret: .init([UInt8](repeating: byte, count: 32)))
        }
        let ring = KeyRing(first: key(1), others: [key(2)])
        #expect(ring.itemHash == KeyRing(first: key(1)).itemHash)
        #expect(ring.itemHash != KeyRing(first: key(2)).itemHash)
        // Daemons of all versions must compute the same hash.
        let bytes = Array("\"1\"".utf8)
        #expect(ring.itemHash.hash(bytes.span, in: 0..<3) == 4_456_257_948_197_015_664)
        #expect(SealingKey(secret: key(1).secret).id == "365d29bb")
    }
}
