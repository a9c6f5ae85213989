import Glibc
import RefreshBroker
import RefreshProtocol
import Testing

@testable import RefreshBackends

/// The parts of `exec` that need no backend thread.
@Suite("exec: parts")
struct ExecPartTests {
    @Test("The pause before a restart doubles up to a cap, and a long run of a process resets it")
    func pauses() {
        var pause = RestartPause(baseMs: 100, capMs: 1000)
        let short = (0..<6).map { _ in pause.pauseMs(afterMs: 9_999) }
        #expect(short == [100, 200, 400, 800, 1000, 1000])
        #expect(pause.pauseMs(afterMs: 10_000) == 100)
        #expect(pause.pauseMs(afterMs: 0) == 200)
        var greatest = RestartPause(baseMs: .max / 2, capMs: .max)
        _ = greatest.pauseMs(afterMs: 0)
        #expect(greatest.pauseMs(afterMs: 0) == .max - 1)
        #expect(greatest.pauseMs(afterMs: 0) == .max)
    }

    @Test(
        "After a kill because of an overdue load, the pause is always the base pause"
    )
    func dismissed() {
        var pause = RestartPause(baseMs: 100, capMs: 1000)
        #expect(pause.pauseMsAfterDismissal == 100)
        #expect(pause.pauseMs(afterMs: 0) == 100)
        #expect(pause.pauseMsAfterDismissal == 100)
        // The pause after an end without a kill doubles as before.
        #expect(pause.pauseMs(afterMs: 0) == 200)
    }

    @Test("A process that was reaped elsewhere counts as ended")
    func reapedElsewhere() throws {
        let command = ExecCommand(ExecOptions(command: ["/bin/true"], folder: "/"))
        let started = try command.start()
        let process = ExecProcess(
            started, as: WorkerID(1), lineBytesMax: 1024, now: MonotonicTime.now)
        // This call reaps the process, as the kernel does if SIGCHLD is ignored.
        #expect(waitpid(started.process, nil, 0) == started.process)
        #expect(process.reapIfEnded() == .unknown)
        process.kill()
        #expect(process.phase == .killed)
    }

    /// Appends `text` in pieces of `size` bytes and returns the lines. "!" stands for a line that
    /// is too long.
    private func lines(_ text: String, inPiecesOf size: Int, max: Int) -> [String] {
        var splitter = LineSplitter(lineBytesMax: max)
        var lines: [String] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            let piece = Array(bytes[start..<min(bytes.count, start + size)])
            unsafe piece.withUnsafeBytes { unsafe splitter.append($0) }
            while let next = splitter.next() {
                switch next {
                case .tooLong: return lines + ["!"]
                case .line(let range):
                    let line = unsafe splitter.span.extracting(range).withUnsafeBufferPointer {
                        unsafe Array($0)
                    }
                    lines.append(String(decoding: line, as: UTF8.self))
                }
            }
        }
        return lines
    }

    @Test("The lines do not depend on the sizes of the chunks", arguments: 1...12)
    func splitting(_ size: Int) {
        #expect(lines("a\n\nbcd\nrest", inPiecesOf: size, max: 8) == ["a", "", "bcd"])
        #expect(lines("12345678\n123456789\nx\n", inPiecesOf: size, max: 8) == ["12345678", "!"])
        #expect(lines("1234567890123", inPiecesOf: size, max: 8) == ["!"])
        #expect(lines("", inPiecesOf: size, max: 8) == [])
    }

    private func take(
        _ lines: inout ErrorLines, _ text: String, _ milliseconds: Double
    ) -> [ErrorLines.Line] {
        let bytes = Array(text.utf8)
        return unsafe bytes.withUnsafeBytes {
            unsafe lines.consumeChunk($0, at: Instant(milliseconds: milliseconds))
        }
    }

    @Test("The length and the number of logged lines of standard error are limited")
    func errorLines() {
        var lines = ErrorLines()
        #expect(take(&lines, "one\r\ntw", 0) == [.line("one")])
        #expect(take(&lines, "o\n", 0) == [.line("two")])
        let long = take(&lines, String(repeating: "é", count: 5000) + "\n", 0)
        #expect(long == [.line(String(repeating: "é", count: 1000))])
        let many = take(&lines, String(repeating: "x\n", count: 500), 999)
        #expect(many.count == 97)
        #expect(lines.last == "x")
        #expect(take(&lines, "next\n", 1000) == [.omitted(403), .line("next")])
        #expect(take(&lines, "end", 1000) == [])
        #expect(lines.finish(at: Instant(milliseconds: 1000)) == [.line("end")])
        #expect(lines.last == "end")
        #expect(lines.finish(at: Instant(milliseconds: 1000)) == [])
    }

    @Test("The error for an invalid option contains its key")
    func options() {
        func mistake(_ change: (inout ExecOptions) -> Void) -> String? {
            var options = ExecOptions(command: ["/bin/true"], folder: "/")
            change(&options)
            do throws(BackendConfigurationError) {
                try options.check()
                return nil
            } catch {
                return error.key
            }
        }
        #expect(mistake { _ in } == nil)
        #expect(mistake { $0.command = [] } == "command")
        #expect(mistake { $0.command = ["true"] } == "command")
        #expect(mistake { $0.command = ["/bin/true", "a\0b"] } == "command")
        #expect(mistake { $0.folder = "here" } == "folder")
        #expect(mistake { $0.environment = ["A=B": ""] } == "environment")
        #expect(mistake { $0.environment = ["A": "\0"] } == "environment")
        #expect(mistake { $0.processes = 0 } == "processes")
        #expect(mistake { $0.processes = 65 } == "processes")
        #expect(mistake { $0.loadsPerProcess = 1001 } == "loadsPerProcess")
        #expect(mistake { $0.lineBytesMax = 1023 } == "lineBytesMax")
        #expect(mistake { $0.graceMs = 60_001 } == "graceMs")
        #expect(mistake { $0.restartBaseMs = 0 } == "restartBaseMs")
        #expect(mistake { $0.restartBaseMs = 20_000 } == "restartCapMs")
    }
}
