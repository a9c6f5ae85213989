internal import Foundation
internal import Glibc

/// The CPU time that a process on this machine has used so far, and its resident memory. Source:
/// proc(5), `stat`.
package struct ObservedProcess: Hashable, Sendable {
    /// The CPU time of all its threads, in user space and in the kernel, in steps of 10 ms.
    var cpuMicroseconds: Int64
    var residentBytes: Int64
    /// The start time of the process, in ticks since boot. It distinguishes processes with the same
    /// id.
    var began: UInt64

    /// Reads the usage of a process. Nil if there is no such process, or if it is a zombie or dead
    /// (states `Z` and `X`).
    package init?(_ process: Int32) {
        guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let name = stat.lastIndex(of: ")")
        else { return nil }
        // The process name can contain any character, so parsing starts after the name. The state
        // is field 3 in proc(5), and `fields[1]` here.
        let fields = stat[name...].split(separator: " ")
        guard fields.count > 22, fields[1] != "Z", fields[1] != "X", let user = Int64(fields[12]),
            let system = Int64(fields[13]),
            let pages = Int64(fields[22]), let began = UInt64(fields[20])
        else { return nil }
        self.began = began
        cpuMicroseconds = (user + system) * 1_000_000 / Int64(sysconf(Int32(_SC_CLK_TCK)))
        residentBytes = pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
    }
}
