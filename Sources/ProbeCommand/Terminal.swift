import Foundation
import Glibc
import RefreshServer
import ScenarioKit
import Synchronization

/// The output of the probe; every command prints through this type. If standard output cannot be
/// written, the process ends, because the rest would be lost. Source: docs/refresh-probe.md, "Exit
/// statuses".
enum Terminal {
    /// Whether standard output shows colours: it is a terminal, and `NO_COLOR` is unset or empty
    /// (no-color.org).
    static var isColoured: Bool {
        let wish = ProcessInfo.processInfo.environment["NO_COLOR"] ?? ""
        return isatty(STDOUT_FILENO) == 1 && wish.isEmpty
            && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }

    /// The characters of a line of standard output; nil: it is not a terminal.
    static var width: Int? {
        var size = winsize()
        guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }

    /// Writes a line to standard output in one write, so that the reader of a pipe sees each line
    /// at once.
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
            // Exits without the exit handlers, because other threads may be running.
            _exit(ProbeStatus.unusable.rawValue)
        }
    }

    /// Writes one or more lines to standard error. Text from peers and files is escaped, so that it
    /// has no effect on the terminal.
    static func printError(_ line: String) {
        writeError(LogLine.escapingControlCharacters(in: line, keepsLines: true) + "\n")
    }

    /// Writes to standard error. A failure is ignored, since it cannot be reported.
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

    /// Work that must be done if the process ends early.
    private static let exitHandler = Mutex<(@Sendable () -> Void)?>(nil)

    /// Sets that work; nil: none.
    static func setExitHandler(_ duty: (@Sendable () -> Void)?) {
        exitHandler.withLock { $0 = duty }
    }

    private static func runExitHandler() {
        let duty = exitHandler.withLock { duty in
            defer { duty = nil }
            return duty
        }
        duty?()
    }

    /// Returns the text in bold, if colours are shown.
    static func bold(_ text: String) -> String { painted(text, .strong) }

    /// Whether the progress of long work is visible.
    static var showsProgress: Bool { isatty(STDERR_FILENO) == 1 }

    /// Shows the progress of long work in the last line of a terminal; nil: removes the line.
    /// Without a terminal this does nothing.
    static func showProgress(_ text: String?) {
        guard showsProgress else { return }
        writeError("\r\u{1B}[K\(text ?? "")")
    }

    /// Returns the text in a colour, if colours are shown.
    static func painted(_ text: String, _ tint: Tint) -> String {
        isColoured ? tint.painting(text) : text
    }
}
