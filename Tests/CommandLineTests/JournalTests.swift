import Foundation
import Testing
import Workbench

/// Sessions that the built daemon records and the built probe replays.
@Suite("Journals", .ownThread, .limit)
struct JournalTests {
    /// A folder that does not exist yet. It is removed when no reference to this object is left.
    final class Folder {
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("journals-\(UUID().uuidString)").path
        deinit { try? FileManager.default.removeItem(atPath: path) }

        /// The paths of the journals in the folder, in the order in which they were created.
        var files: [String] {
            let names = try? FileManager.default.contentsOfDirectory(atPath: path)
            return (names ?? []).sorted().map { path + "/" + $0 }
        }

        /// The journal of the session with a list. Another journal belongs to the session with
        /// which the probe queries the server.
        var listed: String? { files.first { JournalTests.text($0).contains(#"\"attach\""#) } }
    }

    static let session = """
        description: d
        expectation: e

        # pull
        hello
        attach list {profile: iqpulltorefresh, feed: packages}
        drag list 0 -> -70 in 100ms
        release list
        expect items list
        """

    /// Starts the probe, which runs `steps` in a session of `daemon`. Does not wait for the probe's
    /// end.
    private static func play(_ steps: String, on daemon: RunningDaemon, in folder: Folder) throws
        -> Process
    {
        let file = folder.path + ".scenario"
        try Data(steps.utf8).write(to: URL(fileURLWithPath: file))
        let port = try RefreshdTests.announcement(of: daemon).port
        let process = Process()
        process.executableURL = ProbeTests.executable
        process.arguments = ["run", "--url", "ws://127.0.0.1:\(port)/v1/session", file]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    @Test("The journal of a killed daemon replays as far as it was written")
    func killed() throws {
        let folder = Folder()
        let daemon = try RunningDaemon(["--listen", "127.0.0.1:0", "--journal", folder.path])
        let probe = try Self.play(Self.session + "\nwait 60s\n", on: daemon, in: folder)
        defer {
            probe.terminate()
            probe.waitForStatus()
            try? FileManager.default.removeItem(atPath: folder.path + ".scenario")
        }
        #expect(Self.eventually { Self.text(folder).contains(#"\"type\":\"items\""#) })
        daemon.send(SIGKILL)
        #expect(daemon.waitForEnd().status == -SIGKILL)
        let file = try #require(folder.listed)
        let ending = try ProbeTests.run(["replay", file])
        #expect(ending.status == 0)
        let lines = ending.output.split(separator: "\n")
        let verdict = /\d+ inputs, \d+ outputs, identical/
        #expect(try verdict.wholeMatch(in: lines.first ?? "") != nil, "\(ending.output)")
        #expect(ending.output.contains("there is no closing line"))
        #expect(ending.errors.isEmpty)
        #expect(Self.text(file).contains(#""out":"start""#))
    }

    @Test("After SIGTERM, the daemon closes its journals before it ends")
    func stopped() throws {
        let folder = Folder()
        let daemon = try RunningDaemon(["--listen", "127.0.0.1:0", "--journal", folder.path])
        let probe = try Self.play(Self.session + "\nwait 60s\n", on: daemon, in: folder)
        defer {
            probe.terminate()
            probe.waitForStatus()
            try? FileManager.default.removeItem(atPath: folder.path + ".scenario")
        }
        #expect(Self.eventually { Self.text(folder).contains(#"\"type\":\"items\""#) })
        daemon.send(SIGTERM)
        let end = daemon.waitForEnd()
        #expect(end.status == 0)
        #expect(end.errors.contains("notice sessions are recorded folder=\(folder.path)"))
        let file = try #require(folder.listed)
        let text = Self.text(file)
        #expect(text.contains(#""in":"end","code":"draining""#))
        #expect(text.contains(#"{"end":true,"inputs":"#))
        let ending = try ProbeTests.run(["replay", file])
        #expect(ending.status == 0)
        #expect(ending.output.hasSuffix(" outputs, identical\n"))
    }

    /// The actions of clients after the list is attached. Each session is replayed to another
    /// server, which assigns other names and tokens.
    private static let stories = [
        "the device is turned while a refresh is shown": """
        send {type: refresh, view: list}
        expect state list.top refreshing
        geometry list {viewport: {width: 844, height: 390}, safeArea: {top: 0}}
        expect items list
        expect state list.top idle
        geometry list {viewport: {width: 390, height: 844}, safeArea: {top: 47}}
        expect nothing
        """,
        "the client resumes on another connection": """
        drag list -47 -> -120 in 100ms
        release list
        expect items list
        drop
        reconnect
        expect welcome {resumed: true}
        """,
    ]

    @Test(
        "The probe replays a session to another server at a URL", arguments: stories.keys.sorted())
    func atURL(story: String) throws {
        let folder = Folder()
        // The load takes longer than the rotation of the device. On both servers, the refresh
        // therefore ends after this rotation.
        let configuration = try TemporaryFile(
            "refreshd.yaml",
            """
            listen: ["127.0.0.1:0"]
            feeds:
              packages:
                backend: script
                paging: page
                size: 20
                steps: [{ afterMs: 2500, generate: 100 }]
            """)
        let daemon = try RunningDaemon(
            ["--config", configuration.path, "--journal", folder.path])
        let size = "{viewport: {width: 390, height: 844}, safeArea: {top: 47}}"
        let probe = try Self.play(
            """
            description: d
            expectation: e

            # story
            hello
            attach list {profile: iqpulltorefresh, feed: packages, offset: -47, top: {offsetDuration: 2000}, geometry: \(size)}
            \(Self.stories[story] ?? "")
            """, on: daemon, in: folder)
        defer { try? FileManager.default.removeItem(atPath: folder.path + ".scenario") }
        probe.waitForStatus()
        #expect(probe.waitForStatus() == 0)
        daemon.send(SIGTERM)
        #expect(daemon.waitForEnd().status == 0)
        let file = try #require(folder.listed)
        let other = try RunningDaemon(["--config", configuration.path])
        let port = try RefreshdTests.announcement(of: other).port
        let ending = try ProbeTests.run(
            ["replay", file, "--url", "ws://127.0.0.1:\(port)/v1/session"])
        #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
        #expect(ending.output.contains(", as recorded"), "\(ending.output)")
    }

    @Test("If a byte of a journal was changed, the replay names the line, and the status is 1")
    func changed() throws {
        let folder = Folder()
        let daemon = try RunningDaemon(["--listen", "127.0.0.1:0", "--journal", folder.path])
        // Without `bye`, the session would wait for its client to return, and the journal would
        // stay open.
        let probe = try Self.play(
            Self.session + "\nbye\nexpect bye\nexpect close 1000\n", on: daemon, in: folder)
        probe.waitForStatus()
        try? FileManager.default.removeItem(atPath: folder.path + ".scenario")
        #expect(probe.waitForStatus() == 0)
        #expect(Self.eventually { folder.listed.map(Self.text)?.contains(#"{"end":true"#) == true })
        let file = try #require(folder.listed)
        let text = Self.text(file)
        let changed = text.replacing(
            #"\"state\":\"refreshing\""#, with: #"\"state\":\"refreshinG\""#)
        let line = text.split(separator: "\n").firstIndex { $0.contains(#"\"refreshing\""#) }
        try Data(changed.utf8).write(to: URL(fileURLWithPath: file))
        let ending = try ProbeTests.run(["replay", file])
        #expect(ending.status == 1)
        #expect(ending.output.hasPrefix("line \((line ?? 0) + 1) was changed: its checksum is "))
        #expect(ending.errors.isEmpty)
    }

    @Test("If a file is missing or is not a journal, the replay names it, and the status is 2")
    func unusable() throws {
        for file in ["/nonexistent.jsonl", "/proc/self/status", "/"] {
            let ending = try ProbeTests.run(["replay", file])
            #expect(ending.status == 2)
            #expect(ending.output.isEmpty)
            #expect(ending.errors.hasPrefix("\(file): "))
        }
    }

    @Test("The help of the probe describes `replay`")
    func help() throws {
        let all = try ProbeTests.run(["--help"])
        #expect(all.status == 0)
        #expect(all.output.contains("replay"))
        let ending = try ProbeTests.run(["replay", "--help"])
        #expect(ending.status == 0)
        #expect(ending.output.contains("USAGE: refresh-probe replay <file>"))
        #expect(ending.output.contains("docs/journal.md"))
    }

    @Test("A folder that is not writable is a configuration error")
    func refusedFolder() throws {
        let ending = try Refreshd.run(
            "--listen", "127.0.0.1:0", "--journal", "/proc/self/status/journals")
        #expect(ending.status == 78)
        #expect(ending.output.isEmpty)
        #expect(
            ending.errors.contains(
                "journal: cannot write to `/proc/self/status/journals`"))
    }

    /// Returns the text of all journals in the folder.
    private static func text(_ folder: Folder) -> String {
        folder.files.map(text).joined()
    }

    static func text(_ file: String) -> String {
        FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Waits until the condition holds, for at most a minute (see `patience`).
    static func eventually(_ isSo: () -> Bool) -> Bool {
        for _ in 0..<6000 * patience {
            if isSo() { return true }
            usleep(10_000)
        }
        return false
    }
}
