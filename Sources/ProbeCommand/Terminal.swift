import Foundation
import Glibc
import RefreshServer
import ScenarioKit
import Synchronization

/// The output of `refresh-probe`. Every command prints through this type. If standard output cannot
/// be written, the process ends, because the remaining output would be lost. Source:
/// docs/refresh-probe.md, "Exit statuses".
enum Terminal {
    /// Whether standard output shows colours. This is true if it is a terminal, `NO_COLOR` is unset
    /// or empty (no-color.org), and `TERM` is not `dumb`.
    static var isColoured: Bool {
        let setting = ProcessInfo.processInfo.environment["NO_COLOR"] ?? ""
        return isatty(STDOUT_FILENO) == 1 && setting.isEmpty
            && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }

    /// The width of standard output in characters. Nil if it is not a terminal.
    static var width: Int? {
        var size = winsize()
        guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }

    /// Writes a line to standard output in one write, so that a process that reads from a pipe
    /// receives each line as a whole.
    static func printLine(_ line: String) { write(line + "\n") }

    /// Writes to standard output.
    static func write(_ text: String) {
        do throws(StandardStream.Failure) {
            try StandardStream.output.write(text)
        } catch {
            if error.isReaderGone { exitOnBrokenPipe() }
            showProgress(nil)
            printError("\(error)")
            runExitHandler()
            // Other threads can be running, and may use objects that the handlers of `atexit`
            // destroy. `_exit` does not run these handlers.
            _exit(ProbeStatus.unusable.rawValue)
        }
    }

    /// Writes one or more lines to standard error. Control characters in received messages and in
    /// files are escaped, so that they do not reach the terminal.
    static func printError(_ line: String) {
        writeError(LogLine.escapingControlCharacters(in: line, keepsLines: true) + "\n")
    }

    /// Writes to standard error. A failure is ignored, because it cannot be reported.
    private static func writeError(_ text: String) {
        do throws(StandardStream.Failure) {
            try StandardStream.error.write(text)
        } catch {
            if error.isReaderGone { exitOnBrokenPipe() }
        }
    }

    private static func exitOnBrokenPipe() {
        runExitHandler()
        StandardStream.exitOnBrokenPipe()
    }

    /// The function that is called if the process ends because standard output cannot be written.
    private static let exitHandler = Mutex<(@Sendable () -> Void)?>(nil)

    /// Sets the function that is called if the process ends because standard output cannot be
    /// written. Nil removes the function.
    static func setExitHandler(_ handler: (@Sendable () -> Void)?) {
        exitHandler.withLock { $0 = handler }
    }

    private static func runExitHandler() {
        let handler = exitHandler.withLock { handler in
            defer { handler = nil }
            return handler
        }
        handler?()
    }

    /// Returns the text in bold, if colours are shown.
    static func bold(_ text: String) -> String { painted(text, .strong) }

    /// Whether the progress of long work can be shown.
    static var showsProgress: Bool { isatty(STDERR_FILENO) == 1 }

    /// Shows the progress of long work in the last line of a terminal. Nil removes the line. If
    /// there is no terminal, nothing happens.
    static func showProgress(_ text: String?) {
        guard showsProgress else { return }
        writeError("\r\u{1B}[K\(text ?? "")")
    }

    /// Returns the text in a colour, if colours are shown.
    static func painted(_ text: String, _ tint: Tint) -> String {
        isColoured ? tint.painting(text) : text
    }
}
