internal import Foundation
internal import Glibc

/// What a process of this machine has used so far. Source: proc(5), `stat` and `status`.
package struct ObservedProcess: Hashable, Sendable {
    /// Of all its threads, in user space and in the kernel; in steps of 10 ms.
    var cpuMicroseconds: Int64
    var residentBytes: Int64
    /// When it began, in ticks since the machine did: a number may be given to another one.
    var began: UInt64

    /// Nil when there is no such process, or it has ended and its parent does not know yet.
    package init?(_ process: Int32) {
        guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let name = stat.lastIndex(of: ")")
        else { return nil }
        // Behind the name, which may hold anything, the state is the third field.
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
