internal import Glibc

/// A path of the configuration: an absolute one is the operator's word, a relative one begins in
/// the configuration file's folder and cannot leave it, neither by `..` nor by a symbolic link.
///
/// A link can be changed at any time, so what counts is where an opened file really is: whoever
/// opens `path` asks `holds` before it reads a byte.
package struct ConfinedPath: Hashable, Sendable {
    /// To open.
    package let path: String
    /// The folder that the file must stand in; nil for an absolute path.
    private let folder: String?

    /// `folder` is where relative paths begin; nil: the path is taken as it is. Throws for the key
    /// `path` if the path leads out, by its words or by the links that are there now.
    package init(_ path: String, in folder: String?) throws(BackendConfigurationError) {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw BackendConfigurationError("path", "It must be the path of a file.")
        }
        guard !path.hasPrefix("/"), let folder else {
            self.path = path
            self.folder = nil
            return
        }
        let base = folder.isEmpty ? "." : folder
        self.path = base.hasSuffix("/") ? base + path : base + "/" + path
        self.folder = base
        guard Self.staysInside(path), !leadsOutNow else {
            throw BackendConfigurationError(
                "path", "A relative path cannot leave the configuration file's folder.")
        }
    }

    /// Whether the open file is one that this path may lead to. A file whose place cannot be told
    /// is not.
    package func holds(_ descriptor: Int32) -> Bool {
        guard let folder else { return true }
        guard let inner = Self.realPath("/proc/self/fd/\(descriptor)", isLink: true),
            let outer = Self.realPath(folder)
        else { return false }
        return Self.contains(outer, inner)
    }

    /// False also if there is no such file yet.
    private var leadsOutNow: Bool {
        guard let folder, let outer = Self.realPath(folder), let inner = Self.realPath(path)
        else { return false }
        return !Self.contains(outer, inner)
    }

    /// Whether no prefix of the path has more `..` than names.
    private static func staysInside(_ path: String) -> Bool {
        var depth = 0
        for part in path.split(separator: "/") where part != "." {
            depth += part == ".." ? -1 : 1
            if depth < 0 { return false }
        }
        return true
    }

    private static func contains(_ folder: String, _ path: String) -> Bool {
        path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
    }

    /// Without links, `.` and `..`. Of `isLink` only the link itself is read: that is what the
    /// kernel says of an open file, also of one that has been replaced since.
    private static func realPath(_ path: String, isLink: Bool = false) -> String? {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX) + 1)
        if isLink {
            let count = unsafe bytes.withUnsafeMutableBytes { buffer in
                guard let start = buffer.baseAddress else { return 0 }
                return unsafe readlink(
                    path, start.assumingMemoryBound(to: CChar.self), buffer.count)
            }
            guard 1..<bytes.count ~= count else { return nil }
            return String(validating: bytes[..<count], as: UTF8.self)
        }
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(validatingCString: resolved)
    }
}
