import Foundation
import Workbench

extension RunningDaemon {
    /// A daemon that may have so many files open.
    convenience init(_ arguments: [String], openFilesMax: Int) throws {
        try self.init(
            program: "/bin/sh",
            [
                "-c", #"ulimit -n "$1"; shift; exec "$@""#, "sh", String(openFilesMax),
                Refreshd.executable.path,
            ]
                + arguments)
    }

    /// Whether all its threads come to sleep.
    func fallsAsleep() -> Bool {
        let tasks = "/proc/\(processIdentifier)/task"
        return Workbench.fallsAsleep(
            (try? FileManager.default.contentsOfDirectory(atPath: tasks))?
                .map { "\(tasks)/\($0)/stat" } ?? [])
    }
}
