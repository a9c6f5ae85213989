internal import Foundation
internal import Glibc
internal import Synchronization

/// Folders of what all tests of a process share, and nobody lets go: they go with the process.
enum FoldersUntilExit {
    private static let folders = Mutex<[URL]>([])
    private static let isWatched: Void = {
        _ = atexit { FoldersUntilExit.removeAll() }
    }()

    static func add(_ folder: URL) {
        folders.withLock { $0.append(folder) }
        _ = isWatched
    }

    private static func removeAll() {
        for folder in folders.withLock({ $0 }) { try? FileManager.default.removeItem(at: folder) }
    }
}
