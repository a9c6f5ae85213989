internal import Foundation

/// The folder of the configuration file, where its relative paths begin.
struct ConfigurationFolder: Hashable, Sendable {
    /// With its `/` at the end; empty: the working directory.
    private let prefix: String

    /// The folder of the file at `path`.
    init(ofFile path: String) {
        prefix = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }

    /// Without a `/` at its end, and absolute also where the file was named by a relative path.
    var absolute: String {
        let path =
            prefix.hasPrefix("/") ? prefix : FileManager.default.currentDirectoryPath + "/" + prefix
        let end = path.lastIndex { $0 != "/" }
        return end.map { String(path[...$0]) } ?? "/"
    }

    /// `path`, if it is absolute, or where it is from here.
    func resolve(_ path: String) -> String { path.hasPrefix("/") ? path : prefix + path }

    /// The same for what needs an absolute path.
    func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/") else { return path }
        return absolute == "/" ? "/" + path : absolute + "/" + path
    }

    /// Whether a relative path climbs out of here by its `..`; an absolute one is the operator's
    /// word.
    static func isLeft(by path: String) -> Bool {
        guard !path.hasPrefix("/") else { return false }
        var depth = 0
        for part in path.split(separator: "/") where part != "." {
            depth += part == ".." ? -1 : 1
            if depth < 0 { return true }
        }
        return false
    }
}
