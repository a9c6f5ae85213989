internal import Glibc
internal import RefreshConfiguration

/// The resources that the process uses.
package struct ProcessUsage: Hashable, Sendable {
    package var openFiles = 0
    /// The soft limit of open files.
    package var openFilesMax = 0
    /// The CPU time of all threads, in user space and in the kernel.
    package var cpuMicroseconds = 0

    package init() {}

    /// The current usage.
    static var now: ProcessUsage {
        var usage = ProcessUsage()
        usage.openFiles = countOpenFiles()
        var limit = rlimit()
        if unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            usage.openFilesMax = Int(clamping: limit.rlim_cur)
        }
        var used = rusage()
        if unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &used) == 0 {
            usage.cpuMicroseconds = microseconds(used.ru_utime) + microseconds(used.ru_stime)
        }
        return usage
    }

    private static func microseconds(_ time: timeval) -> Int {
        time.tv_sec * 1_000_000 + Int(time.tv_usec)
    }

    private static func countOpenFiles() -> Int {
        // Since Linux 6.2 the folder's size is the number of open files. Reading the folder takes
        // time in proportion to that number.
        if let size = FileStatus(path: folder)?.size, size > 0 { return size }
        guard let listing = unsafe opendir(folder) else { return 0 }
        defer { unsafe closedir(listing) }
        var count = 0
        while unsafe readdir(listing) != nil { count += 1 }
        // The entries `.` and `..` and the descriptor of the folder do not count.
        return max(0, count - 3)
    }

    private static let folder = "/proc/self/fd"
}
