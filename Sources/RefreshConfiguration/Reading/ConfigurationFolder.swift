internal import Foundation

/// The folder of the configuration file. Relative paths in the file are relative to this folder.
struct ConfigurationFolder: Hashable, Sendable {
    /// The path with its final `/`; empty for the working directory.
    private let prefix: String

    /// The folder of the file at `path`.
    init(ofFile path: String) {
        prefix = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }

    /// The absolute path without a final `/`, even if the file was named by a relative path.
    var absolute: String {
        let path =
            prefix.hasPrefix("/") ? prefix : FileManager.default.currentDirectoryPath + "/" + prefix
        let end = path.lastIndex { $0 != "/" }
        return end.map { String(path[...$0]) } ?? "/"
    }

    /// If `path` is absolute, returns `path` itself. Otherwise returns the path that `path` denotes
    /// in this folder.
    func resolve(_ path: String) -> String { path.hasPrefix("/") ? path : prefix + path }

    /// Returns the same path as `resolve`, but always as an absolute path.
    func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/") else { return path }
        return absolute == "/" ? "/" + path : absolute + "/" + path
    }

    /// Returns whether a relative path leaves the folder by `..`. An absolute path is accepted as
    /// the operator's choice.
    static func isEscaped(by path: String) -> Bool {
        guard !path.hasPrefix("/") else { return false }
        var depth = 0
        for part in path.split(separator: "/") where part != "." {
            depth += part == ".." ? -1 : 1
            if depth < 0 { return true }
        }
        return false
    }
}
