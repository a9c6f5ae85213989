import Foundation
import RefreshProtocol
import Testing
import Workbench

/// The built `refresh-probe record`, with its journals in a folder that is removed at the end.
final class RunningRecorder {
    private let process: RunningDaemon
    private let folder = JournalTests.Folder()
    /// The URL for clients, without a path.
    let url: String

    /// Starts the recorder in front of `server`, and waits until clients can connect. `file` is the
    /// name of the journal in the folder; without it, the journals have the usual names.
    init(_ server: String, file: String = "", _ options: [String] = []) throws {
        try FileManager.default.createDirectory(
            atPath: folder.path, withIntermediateDirectories: false)
        process = try RunningDaemon(
            program: ProbeTests.executable.path,
            [
                "record", "--listen", "127.0.0.1:0", "--forward", server, "--journal",
                folder.path + "/" + file,
            ] + options)
        try #require(process.logs("recording at "), "\(process.log)")
        let line = try #require(process.log.firstMatch(of: /recording at (ws:[^,]+),/))
        url = String(line.1)
    }

    /// The URL of sessions.
    var session: String { url + ProtocolVersion.sessionPath }

    /// The text on standard error so far.
    var log: String { process.log }

    /// The largest resident memory of the process so far, in KiB.
    var peakMemoryKiB: Int {
        let path = "/proc/\(process.processIdentifier)/status"
        let status = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.first ?? 0
    }

    /// Waits until standard error has this text.
    func logs(_ text: String) -> Bool { process.logs(text) }

    /// The paths of the journals.
    var files: [String] { folder.files }

    /// The journal of the client that attached a list.
    var listed: String? { folder.listed }

    /// The text of all journals.
    var text: String { files.map(JournalTests.text).joined() }

    /// Waits until the journals have this text.
    func records(_ text: String) -> Bool { JournalTests.eventually { self.text.contains(text) } }

    /// Ends the recorder with a signal.
    func stop(_ signal: Int32 = SIGTERM) -> Refreshd.Ending {
        process.send(signal)
        return process.waitForEnd()
    }
}
