/// The memory of one control group of this process, version 1 or 2.
struct MemoryGroup: Sendable {
    /// The kernel's names of the group's files.
    private struct Names {
        let limit: String
        let current: String
        /// Two keys in the file of statistics: the bytes of inactive file pages, and of file pages
        /// that are active because they were accessed again.
        let inactiveFile: String
        let activeFile: String
    }

    private static let unified = Names(
        limit: "/memory.max", current: "/memory.current", inactiveFile: "inactive_file ",
        activeFile: "active_file ")
    private static let version1 = Names(
        limit: "/memory.limit_in_bytes", current: "/memory.usage_in_bytes",
        inactiveFile: "total_inactive_file ", activeFile: "total_active_file ")

    private let limit: CachedProcFile
    private let current: CachedProcFile
    private let statistics: CachedProcFile
    private let names: Names

    /// The share of the limit that may be used before new clients are refused.
    private static let share = 0.95

    /// Opens the group of that folder. Returns nil if the group does not account for memory. The
    /// root group of version 2 is an example.
    private init?(folder: String, _ names: Names) {
        guard let limit = CachedProcFile(folder + names.limit),
            let current = CachedProcFile(folder + names.current),
            let statistics = CachedProcFile(folder + "/memory.stat")
        else { return nil }
        self.limit = limit
        self.current = current
        self.statistics = statistics
        self.names = names
    }

    /// Returns this process's group and all ancestors of that group up to the root, because each of
    /// them can have a limit. `membership` is /proc/self/cgroup. `root` is the folder in which the
    /// hierarchies are mounted: version 2 in `root` itself, version 1 in its subfolder `memory`. In
    /// a container, the root is the container's own group.
    static func all(
        membership: String = "/proc/self/cgroup", root: String = "/sys/fs/cgroup"
    ) -> [MemoryGroup] {
        let lines = CachedProcFile(membership)?.text?.split(separator: "\n") ?? []
        return lines.flatMap { line -> [MemoryGroup] in
            let parts = line.split(
                separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3, parts[2].hasPrefix("/") else { return [] }
            if parts[0] == "0", parts[1].isEmpty { return groups(parts[2], below: root, unified) }
            guard parts[1].split(separator: ",").contains("memory") else { return [] }
            return groups(parts[2], below: root + "/memory", version1)
        }
    }

    private static func groups(
        _ path: Substring, below root: String, _ names: Names
    ) -> [MemoryGroup] {
        var parts = path.split(separator: "/")
        // A path with `..` leads out of the hierarchy, so the process's group is not visible here.
        guard !parts.contains("..") else { return [] }
        var groups: [MemoryGroup] = []
        while true {
            let folder = ([root] + parts.map(String.init)).joined(separator: "/")
            if let group = MemoryGroup(folder: folder, names) { groups.append(group) }
            guard parts.popLast() != nil else { return groups }
        }
    }

    /// The memory in use; nil if the group has no limit. Inactive file pages do not count, because
    /// the kernel reclaims them first.
    var reading: MemoryReading? {
        guard let limit = Self.number(limit.text), let current = Self.number(current.text) else {
            return nil
        }
        var reading = MemoryReading(used: current, bound: Int(Double(limit) * Self.share))
        // The reclaimable part is read only if usage is above the bound.
        guard reading.isShort, let lines = statistics.text?.split(separator: "\n") else {
            return reading
        }
        reading.used -= Self.number(names.inactiveFile, in: lines)
        reading.reclaimable = Self.number(names.activeFile, in: lines)
        return reading
    }

    private static func number(_ text: String?) -> Int? {
        text.flatMap { Int($0.prefix { $0 != "\n" }) }
    }

    private static func number(_ name: String, in lines: [Substring]) -> Int {
        let line = lines.first { $0.hasPrefix(name) }
        return line.flatMap { Int($0.dropFirst(name.count)) } ?? 0
    }
}
