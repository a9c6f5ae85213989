import Foundation
import Workbench

extension RunningDaemon {
    /// Starts a daemon with this limit of open files.
    convenience init(_ arguments: [String], openFilesMax: Int) throws {
        try self.init(
            program: "/bin/sh",
            [
                "-c", #"ulimit -n "$1"; shift; exec "$@""#, "sh", String(openFilesMax),
                Refreshd.executable.path,
            ]
                + arguments)
    }

    /// Whether all threads of the daemon become idle.
    func fallsAsleep() -> Bool {
        let tasks = "/proc/\(processIdentifier)/task"
        return Workbench.fallsAsleep(
            (try? FileManager.default.contentsOfDirectory(atPath: tasks))?
                .map { "\(tasks)/\($0)/stat" } ?? [])
    }
}
