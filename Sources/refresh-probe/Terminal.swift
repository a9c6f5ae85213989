import Foundation
import Glibc
import RefreshScenario
import RefreshServer

/// What the probe writes, and to whom.
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
    static func put(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }

    /// Writes a line, or several, to standard error; what peers and files say in it is for eyes,
    /// and not for the terminal.
    static func complain(_ line: String) {
        let text = LogLine.legible(line, keepsLines: true)
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }

    /// The text in bold, where there are colours.
    static func bold(_ text: String) -> String {
        isColoured ? "\u{1B}[1m\(text)\u{1B}[0m" : text
    }

    /// Whether somebody sees how far long work is.
    static var showsProgress: Bool { isatty(STDERR_FILENO) == 1 }

    /// How far long work is, in the last line of a terminal; nil: it is done. Elsewhere nothing.
    static func progress(_ text: String?) {
        guard showsProgress else { return }
        FileHandle.standardError.write(Data("\r\u{1B}[K\(text ?? "")".utf8))
    }

    /// The text in a colour, where there are colours.
    static func painted(_ text: String, _ tint: ConformanceReport.Tint) -> String {
        guard isColoured else { return text }
        let code =
            switch tint {
            case .good: "32"
            case .doubtful: "33"
            case .bad: "31"
            case .strong: "1"
            case .faint: "2"
            }
        return "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }
}
