import Foundation
import Glibc
import RefreshBroker
import RefreshProtocol
import Synchronization
import Testing
import Workbench

@testable import RefreshBackends

@Suite("The confinement of the file backend's relative paths")
struct FileConfinementTests {
    private let request = LoadRequest(feed: "f", kind: .refresh, page: 1, offset: 0, size: 9)

    /// A folder `inside` that contains `a.json`. The file `secret.json` is outside of it.
    private final class Folder: Sendable {
        private let secret: TemporaryFile
        let outside: String
        let inside: String

        init() throws {
            secret = try TemporaryFile("secret.json", "[\"secret\"]")
            outside = URL(filePath: secret.path).deletingLastPathComponent().path
            inside = outside + "/inside"
            try FileManager.default.createDirectory(
                atPath: inside + "/sub", withIntermediateDirectories: true)
            try write("[1]", to: "a.json")
        }

        func write(_ text: String, to name: String) throws {
            try Data(text.utf8).write(to: URL(filePath: inside + "/" + name))
        }

        func link(_ name: String, to target: String) throws {
            guard unsafe symlink(target, inside + "/" + name) == 0 else {
                throw POSIXError(.EEXIST)
            }
        }
    }

    private func isRefused(_ path: String, in folder: String) -> Bool {
        do throws(BackendConfigurationError) {
            _ = try FileBackend(path: path, folder: folder, format: .json)
            return false
        } catch {
            return error.key == "path"
        }
    }

    @Test(
        "A path that leaves the folder by `..` is refused, even if the file does not exist",
        arguments: [
            "..", "../secret.json", "sub/../../secret.json", "./../inside/a.json", "a/../../b",
            "../inside/a.json", "sub/../../../etc/passwd", "nosuch/../../secret.json", "",
        ])
    func dots(path: String) throws {
        let folder = try Folder()
        #expect(isRefused(path, in: folder.inside))
    }

    @Test(
        "A path with `..` or links is served if it stays in the folder",
        arguments: [
            "a.json", "./a.json", "sub/../a.json", "sub//..//a.json", "link.json", "up/a.json",
            "absolute.json",
        ])
    func inside(path: String) async throws {
        let folder = try Folder()
        try folder.link("link.json", to: "a.json")
        try folder.link("up", to: "sub/..")
        try folder.link("absolute.json", to: folder.inside + "/a.json")
        let backend = try FileBackend(path: path, folder: folder.inside)
        #expect(try await backend.load(request).items == Array("[1]".utf8))
    }

    @Test("A link to a file or a folder outside is refused when the backend is created")
    func links() throws {
        let folder = try Folder()
        try folder.link("file.json", to: "../secret.json")
        try folder.link("absolute.json", to: folder.outside + "/secret.json")
        try folder.link("up", to: "..")
        try folder.link("chain.json", to: "file.json")
        for path in ["file.json", "absolute.json", "up/secret.json", "chain.json", "up"] {
            #expect(isRefused(path, in: folder.inside), "\(path)")
        }
    }

    @Test("If a link leads outside later, loads are refused until the link is replaced")
    func laterLink() async throws {
        let folder = try Folder()
        let backend = try FileBackend(path: "later.json", folder: folder.inside)
        #expect(await backend.failure(request)?.code == .backendUnavailable)
        try folder.link("later.json", to: "../secret.json")
        let failed = await backend.failure(request)
        #expect(failed?.code == .backendRejected)
        #expect(failed?.message.contains("secret") == false)
        unsafe unlink(folder.inside + "/later.json")
        try folder.write("[2]", to: "later.json")
        #expect(try await backend.load(request).items == Array("[2]".utf8))
    }

    @Test("A folder whose name only begins with the permitted folder's name is outside")
    func prefix() throws {
        let folder = try Folder()
        let twin = folder.outside + "/inside-too"
        try FileManager.default.createDirectory(
            atPath: twin, withIntermediateDirectories: true)
        try Data("[3]".utf8).write(to: URL(filePath: twin + "/b.json"))
        try folder.link("b.json", to: "../inside-too/b.json")
        #expect(isRefused("b.json", in: folder.inside))
    }

    @Test("While a link is swapped repeatedly, no byte from outside the folder is served")
    func race() async throws {
        let folder = try Folder()
        try folder.link("swap.json", to: "a.json")
        let backend = try FileBackend(path: "swap.json", folder: folder.inside)
        let isOver = Mutex(false)
        Thread.detachNewThread {
            var turn = 0
            while !isOver.withLock({ $0 }) {
                turn += 1
                let temporary = folder.inside + "/swapping"
                unsafe symlink(turn % 2 == 0 ? "a.json" : "../secret.json", temporary)
                unsafe rename(temporary, folder.inside + "/swap.json")
            }
        }
        defer { isOver.withLock { $0 = true } }
        var served = 0
        var refused = 0
        var loads = 0
        // Both results must occur 50 times. A busy machine needs more loads for this.
        while min(served, refused) < 50, loads < 50_000 {
            loads += 1
            do {
                #expect(try await backend.load(request).items == Array("[1]".utf8))
                served += 1
            } catch {
                refused += 1
            }
        }
        #expect(min(served, refused) == 50)
    }

    @Test("An absolute path is not confined, even if a link leads outside the folder")
    func absolute() async throws {
        let folder = try Folder()
        try folder.link("file.json", to: "../secret.json")
        let backend = try FileBackend(
            path: folder.inside + "/file.json", folder: folder.inside + "/sub")
        #expect(try await backend.load(request).items == Array("[\"secret\"]".utf8))
    }

    @Test("The folder itself may be a link or a relative path")
    func linkedFolder() async throws {
        let folder = try Folder()
        try folder.link("again", to: ".")
        let backend = try FileBackend(path: "a.json", folder: folder.inside + "/again/")
        #expect(try await backend.load(request).count == 1)
        #expect(isRefused("../secret.json", in: folder.inside + "/again"))
        let here = try FileBackend(path: "nosuch.json", folder: "")
        #expect(await here.failure(request)?.code == .backendUnavailable)
    }

    @Test("Loading a pipe, a device or a folder fails at once, and the message names its kind")
    func oddFiles() async throws {
        let folder = try Folder()
        unsafe mkfifo(folder.inside + "/pipe", 0o600)
        for (path, kind) in [
            (folder.inside + "/pipe", "a named pipe"), ("/dev/zero", "a device"),
            (folder.inside, "a folder"),
        ] {
            let failed = try await FileBackend(path: path, format: .json).failure(request)
            #expect(
                failed
                    == LoadFailure(
                        .backendUnavailable, "The path is \(kind), not a regular file."))
        }
        let inPlace = try FileBackend(path: "pipe", folder: folder.inside, format: .json)
        #expect(await inPlace.failure(request)?.code == .backendUnavailable)
    }
}
