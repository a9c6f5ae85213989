internal import Glibc

/// A configured file path. An absolute path is trusted. A relative path starts in the configuration
/// file's folder and must not leave it, neither by `..` nor by a symbolic link.
///
/// A link can change at any time, so the check uses the real location of the opened file. After
/// opening `path`, the caller must call `permits` before it reads any byte.
package struct ConfinedPath: Hashable, Sendable {
    /// The path to open.
    package let path: String
    /// The folder that must contain the file; nil for an absolute path.
    private let folder: String?

    /// Creates a path. A relative path starts in `folder`. If `folder` is nil, the path is used as
    /// it is. Throws an error for the key `path` if the text of the path leads out of the folder,
    /// or if a symbolic link that exists now leads out of the folder.
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
        guard Self.staysInside(path), !hasLinkOutside else {
            throw BackendConfigurationError(
                "path", "A relative path cannot leave the configuration file's folder.")
        }
    }

    /// Returns whether the open file is permitted for this path. A file whose location is unknown
    /// is not permitted.
    package func permits(_ descriptor: Int32) -> Bool {
        guard let folder else { return true }
        guard let inner = Self.realPath("/proc/self/fd/\(descriptor)", isLink: true),
            let outer = Self.realPath(folder)
        else { return false }
        return Self.contains(outer, inner)
    }

    /// Whether links lead out of the folder now. This property is also false if the file does not
    /// exist yet.
    private var hasLinkOutside: Bool {
        guard let folder, let outer = Self.realPath(folder), let inner = Self.realPath(path)
        else { return false }
        return !Self.contains(outer, inner)
    }

    /// Returns whether the path stays in its folder. It leaves the folder if a prefix of the path
    /// has more `..` than names.
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

    /// Returns the path without links, `.` and `..`. If `isLink` is true, `path` is a link in /proc
    /// to an open file. The target of this link is returned unchanged, even if that file has since
    /// been replaced.
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
