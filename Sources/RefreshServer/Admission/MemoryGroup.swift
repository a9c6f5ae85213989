/// The memory of one control group that this process is in (cgroup v2).
struct MemoryGroup: Sendable {
    private let limit: KeptFile
    private let current: KeptFile
    private let statistics: KeptFile

    /// Of the limit, what may be used before nobody new is let in.
    private static let share = 0.95

    /// The group of that folder; nil if it does not account for memory, as the root does not.
    init?(folder: String) {
        guard let limit = KeptFile(folder + "/memory.max"),
            let current = KeptFile(folder + "/memory.current"),
            let statistics = KeptFile(folder + "/memory.stat")
        else { return nil }
        self.limit = limit
        self.current = current
        self.statistics = statistics
    }

    /// The groups from that of this process up to the root: each may have a limit. `membership` is
    /// /proc/self/cgroup, `root` where the hierarchy is mounted.
    static func all(
        membership: String = "/proc/self/cgroup", root: String = "/sys/fs/cgroup"
    ) -> [MemoryGroup] {
        let lines = KeptFile(membership)?.text?.split(separator: "\n") ?? []
        guard let path = lines.first(where: { $0.hasPrefix("0::/") })?.dropFirst(4) else {
            return []
        }
        var names = path.split(separator: "/")
        // Names that lead out of the hierarchy: the process is in a group that cannot be seen from
        // here.
        guard !names.contains("..") else { return [] }
        var groups: [MemoryGroup] = []
        while true {
            let folder = ([root] + names.map(String.init)).joined(separator: "/")
            if let group = MemoryGroup(folder: folder) { groups.append(group) }
            guard names.popLast() != nil else { return groups }
        }
    }

    /// Whether more is used than should be. Pages of files that nobody looks at do not count: the
    /// kernel gives them up before anything else.
    var isShort: Bool {
        guard let limit = limit.text.flatMap({ Int($0.prefix { $0 != "\n" }) }),
            let current = current.text.flatMap({ Int($0.prefix { $0 != "\n" }) })
        else { return false }
        return Double(current - inactiveFileBytes) > Double(limit) * Self.share
    }

    private var inactiveFileBytes: Int {
        let name = "inactive_file "
        let line = statistics.text?.split(separator: "\n").first { $0.hasPrefix(name) }
        return line.flatMap { Int($0.dropFirst(name.count)) } ?? 0
    }
}
