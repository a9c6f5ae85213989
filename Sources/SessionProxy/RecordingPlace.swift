internal import Foundation
package import RefreshConfiguration
internal import RefreshServer

/// The place of the journals of a recording: a folder, or a file.
package struct RecordingPlace: Sendable {
    private let folder: JournalFolder
    private let path: String
    /// The name of the first file; nil if the place is a folder.
    private let fileName: String?

    /// Opens the place. The path of a folder ends in a slash, or the folder exists. If only the
    /// last part of the path of a folder is missing, the folder is created.
    ///
    /// - Throws: if the folder is not writable, if the folder of the file does not exist, or if the
    ///   file exists already.
    package init(path: String) throws(ConfigurationError) {
        var isFolder = ObjCBool(false)
        let exists = unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        if path.hasSuffix("/") || (exists && isFolder.boolValue) {
            folder = try JournalFolder(path: path, key: "--journal")
            self.path = path.hasSuffix("/") ? path : path + "/"
            fileName = nil
            return
        }
        guard !exists else {
            throw ConfigurationError([
                ConfigurationProblem(
                    key: "--journal",
                    "`\(path)` exists already; name a new file, or a folder for several recordings")
            ])
        }
        let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        let parentFolder = parent.isEmpty ? "." : parent
        guard FileManager.default.fileExists(atPath: parentFolder) else {
            throw ConfigurationError([
                ConfigurationProblem(
                    key: "--journal", "the folder `\(parentFolder)` does not exist; create it")
            ])
        }
        folder = try JournalFolder(path: parentFolder, key: "--journal")
        self.path = parent
        fileName = String(path.dropFirst(parent.count))
    }

    /// Returns the writer of the journals. `log` receives the reason why a journal ends early.
    func writer(log: DaemonLog) -> JournalWriter {
        JournalWriter(log: log) { [folder] name throws(JournalFolder.Refusal) in
            try folder.createFile(name)
        }
    }

    /// Returns the file name for a connection. Nil in a folder, where each name begins with a time.
    /// The second connection of the place `pull.jsonl` has the file `pull-2.jsonl`.
    func fileName(ofConnection number: Int) -> String? {
        guard let fileName, number > 1 else { return fileName }
        guard let dot = fileName.lastIndex(of: "."), dot > fileName.startIndex else {
            return "\(fileName)-\(number)"
        }
        return "\(fileName[..<dot])-\(number)\(fileName[dot...])"
    }

    /// Returns the path of a journal with this file name.
    func path(ofFile name: String) -> String { path + name }
}
