import Foundation
import Glibc
import Logging
import RefreshProtocol
import Synchronization
import Testing
import Workbench

@testable import RefreshConfiguration
@testable import RefreshServer

@Suite("Journal writer", .ownThread)
struct JournalWriterTests {
    /// A temporary folder. It is removed with the last reference.
    final class Scratch {
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("journals-\(UUID().uuidString)").path
        deinit { try? FileManager.default.removeItem(atPath: path) }

        func mode(_ name: String = "") throws -> Int {
            let attributes = try FileManager.default.attributesOfItem(atPath: path + "/" + name)
            return try #require(attributes[.posixPermissions] as? Int)
        }

        func text(_ name: String) throws -> String {
            try String(contentsOfFile: path + "/" + name, encoding: .utf8)
        }
    }

    /// A log that collects its lines.
    final class MemoryLog: Sendable {
        private let stored = Mutex<[String]>([])
        var lines: [String] { stored.withLock { $0 } }

        private struct Handler: LogHandler {
            let log: MemoryLog
            var logLevel = Logger.Level.trace
            var metadata = Logger.Metadata()
            subscript(metadataKey key: String) -> Logger.Metadata.Value? {
                get { metadata[key] }
                set { metadata[key] = newValue }
            }
            func log(event: LogEvent) {
                let reason = event.metadata?["reason"].map { " (\($0))" } ?? ""
                log.stored.withLock { $0.append("\(event.level) \(event.message)\(reason)") }
            }
        }

        var log: DaemonLog { DaemonLog(Logger(label: "test") { _ in Handler(log: self) }) }
    }

    private static func writer(_ scratch: Scratch, _ log: DaemonLog = .silent) throws
        -> JournalWriter
    {
        let folder = try JournalFolder(path: scratch.path)
        return JournalWriter(log: log) { name throws(JournalFolder.Refusal) in
            try folder.createFile(name)
        }
    }

    @Test("The folder and the files are accessible only to their owner")
    func modes() throws {
        let scratch = Scratch()
        let writer = try Self.writer(scratch)
        let file = writer.makeJournal(ofSession: "s1")
        file.append(Array("one\n".utf8))
        file.append(Array("two\n".utf8))
        file.close()
        writer.stop(withinMilliseconds: 5000)
        #expect(try scratch.mode() == 0o700)
        #expect(try scratch.mode(file.name) == 0o600)
        #expect(try scratch.text(file.name) == "one\ntwo\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == [file.name])
    }

    @Test("Each file is named after its start time and its session")
    func names() throws {
        let scratch = Scratch()
        let writer = try Self.writer(scratch)
        let file = writer.makeJournal(ofSession: "5f0c2a9be1d07746")
        let pattern = /\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z-5f0c2a9be1d07746\.jsonl/
        #expect(try pattern.wholeMatch(in: file.name) != nil)
        #expect(file.started.replacing(":", with: "-") == file.name.prefix(24))
        writer.stop(withinMilliseconds: 5000)
    }

    @Test("At a stop, all queued data is written, and later data is not")
    func stop() throws {
        let scratch = Scratch()
        let writer = try Self.writer(scratch)
        let file = writer.makeJournal(ofSession: "s1")
        var expected = ""
        for number in 0..<10_000 {
            file.append(Array("\(number)\n".utf8))
            expected += "\(number)\n"
        }
        writer.stop(withinMilliseconds: 10_000)
        file.append(Array("late\n".utf8))
        writer.stop(withinMilliseconds: 10_000)
        #expect(try scratch.text(file.name) == expected)
    }

    @Test("A write error ends only the affected journal and logs one line")
    func diskFull() throws {
        let scratch = Scratch()
        let folder = try JournalFolder(path: scratch.path)
        let recorder = MemoryLog()
        let writer = JournalWriter(log: recorder.log) { name throws(JournalFolder.Refusal) in
            guard name.contains("full") else { return try folder.createFile(name) }
            let file = unsafe open("/dev/full", O_WRONLY | O_CLOEXEC)
            guard file >= 0 else { throw JournalFolder.Refusal(errno: errno) }
            return file
        }
        let full = writer.makeJournal(ofSession: "full")
        let other = writer.makeJournal(ofSession: "other")
        for _ in 0..<100 {
            full.append(Array("a\n".utf8))
            other.append(Array("b\n".utf8))
        }
        full.close()
        other.close()
        writer.stop(withinMilliseconds: 5000)
        #expect(!full.isOpen)
        let reason = "error journal ended early (\(full.name): No space left on device)"
        #expect(recorder.lines == [reason])
        #expect(try scratch.text(other.name) == String(repeating: "b\n", count: 100))
    }

    @Test(
        "The end of a journal on request is logged once, whether it is complete or not",
        arguments: [true, false])
    func requestedEnd(isWhole: Bool) throws {
        let scratch = Scratch()
        let folder = try JournalFolder(path: scratch.path)
        let recorder = MemoryLog()
        let writer = JournalWriter(log: recorder.log) { name throws(JournalFolder.Refusal) in
            if isWhole { return try folder.createFile(name) }
            let file = unsafe open("/dev/full", O_WRONLY | O_CLOEXEC)
            guard file >= 0 else { throw JournalFolder.Refusal(errno: errno) }
            return file
        }
        let journals = RequestedJournals(limits: Limits(), log: recorder.log, writer: writer)
        let journal = try journals.beginJournal(session: "s1")
        journal.append(Array("a\n".utf8))
        // The writer's thread detects the error.
        for _ in 0..<6000 * patience where !isWhole && journal.isOpen { usleep(10_000) }
        #expect(journal.isOpen == isWhole)
        journal.close()
        journal.close()
        writer.stop(withinMilliseconds: 5000)
        let end =
            isWhole
            ? "notice journal ended (requested, or the session has ended)"
            : "error journal ended early (\(journal.file.name): No space left on device)"
        #expect(recorder.lines == ["notice journal begun", end])
        #expect(journals.counts.open == 0 && journals.counts.begun == 1)
    }

    @Test("A file that cannot be created logs one line")
    func noFile() throws {
        let scratch = Scratch()
        let recorder = MemoryLog()
        let writer = try Self.writer(scratch, recorder.log)
        try FileManager.default.removeItem(atPath: scratch.path)
        let file = writer.makeJournal(ofSession: "s1")
        file.append(Array("a\n".utf8))
        writer.stop(withinMilliseconds: 5000)
        #expect(!file.isOpen)
        let reason = "error journal ended early (\(file.name): No such file or directory)"
        #expect(recorder.lines == [reason])
    }

    @Test("If too much data waits for a slow disk, the journal ends early after a complete line")
    func slowDisk() throws {
        let scratch = Scratch()
        let folder = try JournalFolder(path: scratch.path)
        let recorder = MemoryLog()
        let disk = DispatchSemaphore(value: 0)
        let writer = JournalWriter(log: recorder.log, waitingBytesMax: 1000) {
            name throws(JournalFolder.Refusal) in
            disk.wait()
            return try folder.createFile(name)
        }
        let file = writer.makeJournal(ofSession: "s1")
        let line = [UInt8](repeating: 0x61, count: 99) + [0x0A]
        for _ in 0..<50 { file.append(line) }
        #expect(!file.isOpen)
        #expect(recorder.lines == ["error journal ended early (the disk is too slow)"])
        disk.signal()
        writer.stop(withinMilliseconds: 5000)
        // The queue can contain six entries. Each entry has 100 bytes, and 64 bytes of overhead.
        #expect(
            try scratch.text(file.name).split(separator: "\n").map(\.count)
                == Array(repeating: 99, count: 6))
        #expect(recorder.lines.count == 1)
    }

    @Test("After data was written, its space in the queue is free again")
    func roomReturns() throws {
        let scratch = Scratch()
        let folder = try JournalFolder(path: scratch.path)
        let recorder = MemoryLog()
        let writer = JournalWriter(log: recorder.log, waitingBytesMax: 1000) {
            name throws(JournalFolder.Refusal) in try folder.createFile(name)
        }
        let file = writer.makeJournal(ofSession: "s1")
        let path = scratch.path + "/" + file.name
        for count in 1...20 {
            file.append([UInt8](repeating: 0x61, count: 799) + [0x0A])
            // Waits until the data is written. A file of another size fails the test later, not in
            // this loop.
            for _ in 0..<60_000 * patience {
                let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
                if size == count * 800 { break }
                usleep(1000)
            }
        }
        writer.stop(withinMilliseconds: 5000)
        #expect(recorder.lines.isEmpty)
        #expect(try scratch.text(file.name).utf8.count == 16_000)
    }

    @Test("A stop does not wait for a disk that hangs")
    func hangingDisk() throws {
        let recorder = MemoryLog()
        let disk = DispatchSemaphore(value: 0)
        let writer = JournalWriter(log: recorder.log) { _ throws(JournalFolder.Refusal) in
            disk.wait()
            throw JournalFolder.Refusal(errno: EIO)
        }
        _ = writer.makeJournal(ofSession: "s1")
        writer.stop(withinMilliseconds: 20)
        #expect(
            recorder.lines.first
                == "error journal ended early (the disk is too slow, and the daemon "
                + "stops without waiting)"
        )
        disk.signal()
    }

    @Test("A folder that cannot be used is a configuration error")
    func refusedFolder() throws {
        let scratch = Scratch()
        let cases = [
            (
                scratch.path + "/a/b",
                "No such file or directory; create its parent folder, or name another one"
            ),
            (
                scratch.path + "/file",
                "Not a directory; name a folder that this user may write in"
            ),
        ]
        try FileManager.default.createDirectory(
            atPath: scratch.path, withIntermediateDirectories: false)
        #expect(FileManager.default.createFile(atPath: scratch.path + "/file", contents: nil))
        for (path, reason) in cases {
            let error = #expect(throws: ConfigurationError.self) { try JournalFolder(path: path) }
            #expect(
                error?.description == "journal: cannot write to `\(path)`: \(reason)")
            #expect(error?.exitStatus == .configuration)
        }
    }

    @Test("An existing folder keeps its mode and its files")
    func existingFolder() throws {
        let scratch = Scratch()
        try FileManager.default.createDirectory(
            atPath: scratch.path, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o750])
        #expect(FileManager.default.createFile(atPath: scratch.path + "/note", contents: nil))
        _ = try JournalFolder(path: scratch.path)
        #expect(try scratch.mode() == 0o750)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["note"])
    }
}
