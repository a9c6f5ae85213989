import Foundation
import RefreshIndicator

/// Shell completions for the name of a built-in indicator or the path of an indicator file.
enum IndicatorWords {
    /// Returns built-in indicators, JSON files, and folders. The path of a folder ends with `/`.
    static func completions(for prefix: String) -> [String] {
        let names = BuiltInIndicator.allCases.map(\.rawValue).filter { $0.hasPrefix(prefix) }
        return names + paths(withPrefix: prefix)
    }

    private static func paths(withPrefix prefix: String) -> [String] {
        let parts = prefix.split(separator: "/", omittingEmptySubsequences: false)
        let start = parts.last.map(String.init) ?? ""
        let folder = String(prefix.dropLast(start.count))
        let found = try? FileManager.default.contentsOfDirectory(
            atPath: folder.isEmpty ? "." : folder)
        return (found ?? []).sorted().compactMap { name in
            // Hidden files are listed only if the prefix has a dot after its last slash, as in
            // every shell.
            guard name.hasPrefix(start), !start.isEmpty || !name.hasPrefix(".") else { return nil }
            if isFolder(folder + name) { return folder + name + "/" }
            return name.hasSuffix(".json") ? folder + name : nil
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        let url = URL(filePath: path).resolvingSymlinksInPath()
        return (try? url.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true
    }
}
