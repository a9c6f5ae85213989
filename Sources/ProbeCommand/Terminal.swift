import Foundation
import Glibc
import RefreshScenario
import RefreshServer
import Synchronization

/// What the probe writes, and to whom: every command by way of here. Where standard output cannot
/// be written, the process ends: nobody would have the rest. Source: docs/refresh-probe.md, "Exit
/// statuses".
enum Terminal {
    /// Whether standard output shows colours: it is a terminal, and nobody asked for none
    /// (`NO_COLOR`, as of no-color.org: set and not empty).
    static var isColoured: Bool {
        let wish = ProcessInfo.processInfo.environment["NO_COLOR"] ?? ""
        return isatty(STDOUT_FILENO) == 1 && wish.isEmpty
            && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }

    /// How many characters a line of standard output holds; nil: it is no terminal.
    static var width: Int? {
        var size = winsize()
        guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }

    /// Writes a line to standard output: one write, so that a reader of a pipe sees each when it is
    /// there.
    static func put(_ line: String) { write(line + "\n") }

    /// Writes to standard output.
    static func write(_ text: String) {
        do throws(StandardStream.Failure) {
            try StandardStream.output.write(text)
        } catch {
            if error.isReaderGone { endForLackOfReader() }
            progress(nil)
            complain("\(error)")
            doLastDuty()
            // Without the exit handlers: other threads may be at work.
            _exit(ProbeStatus.unusable.rawValue)
        }
    }

    /// Writes a line, or several, to standard error; what peers and files say in it is for eyes,
    /// and not for the terminal.
    static func complain(_ line: String) {
        say(LogLine.legible(line, keepsLines: true) + "\n")
    }

    /// Whoever cannot be told of a trouble cannot be told of that one either.
    private static func say(_ text: String) {
        do throws(StandardStream.Failure) {
            try StandardStream.error.write(text)
        } catch {
            if error.isReaderGone { endForLackOfReader() }
        }
    }

    private static func endForLackOfReader() {
        doLastDuty()
        StandardStream.endForLackOfReader()
    }

    /// What is to be done yet where the process ends in the middle of its work.
    private static let lastDuty = Mutex<(@Sendable () -> Void)?>(nil)

    /// Nil: nothing more.
    static func setLastDuty(_ duty: (@Sendable () -> Void)?) { lastDuty.withLock { $0 = duty } }

    private static func doLastDuty() {
        let duty = lastDuty.withLock { duty in
            defer { duty = nil }
            return duty
        }
        duty?()
    }

    /// The text in bold, where there are colours.
    static func bold(_ text: String) -> String { painted(text, .strong) }

    /// Whether somebody sees how far long work is.
    static var showsProgress: Bool { isatty(STDERR_FILENO) == 1 }

    /// How far long work is, in the last line of a terminal; nil: it is done. Elsewhere nothing.
    static func progress(_ text: String?) {
        guard showsProgress else { return }
        say("\r\u{1B}[K\(text ?? "")")
    }

    /// The text in a colour, where there are colours: of every command.
    static func painted(_ text: String, _ tint: Tint) -> String {
        isColoured ? tint.painting(text) : text
    }
}
