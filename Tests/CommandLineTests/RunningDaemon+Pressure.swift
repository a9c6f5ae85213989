import Foundation
import Testing

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

    /// CPU time that it has used so far, in hundredths of a second.
    func cpuTicks() throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(processIdentifier)/stat", encoding: .utf8)
        // Behind the name, which is in parentheses and may hold spaces.
        let fields = try #require(text.split(separator: ")").last).split(separator: " ")
        return try #require(Int(fields[11])) + #require(Int(fields[12]))
    }
}
