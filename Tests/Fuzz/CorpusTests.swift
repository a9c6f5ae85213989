import Foundation
import Testing

@testable import RefreshServer

/// The entries of the fuzzers' corpora, among them all inputs that ever broke a promise, in every
/// run of the unit tests. A broken promise ends the process, and says which.
@Suite("Corpora of the fuzzers")
struct CorpusTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "corpus")

    @Test("Every entry keeps the promises of its target", arguments: FuzzTarget.allCases)
    func entries(_ target: FuzzTarget) throws {
        let folder = Self.folder.appending(path: target.rawValue)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names.count >= 5, "\(target) has hardly a corpus")
        for name in names { target.run(Array(try Data(contentsOf: folder.appending(path: name)))) }
    }

    @Test(
        "Snapshots of today are written into the corpora, where that is asked for",
        .enabled(if: ProcessInfo.processInfo.environment["REGENERATE_CORPORA"] == "1"))
    func renewal() throws { try SnapshotCorpus.write(into: Self.folder) }

    @Test("Every folder of the corpus is a target's")
    func folders() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Set(names) == Set(FuzzTarget.allCases.map(\.rawValue)))
    }
}
