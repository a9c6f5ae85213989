import Foundation
import Testing

@testable import RefreshServer

/// Runs the entries of the fuzzers' corpora in every run of the unit tests. A promise is a property
/// that must be true for every input. The entries include all inputs that have broken a promise. A
/// broken promise ends the process with the text of the promise.
@Suite("Corpora of the fuzzers")
struct CorpusTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "corpus")

    @Test("For every entry, the promises of its target are true", arguments: FuzzTarget.allCases)
    func entries(_ target: FuzzTarget) throws {
        let folder = Self.folder.appending(path: target.rawValue)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names.count >= 5, "the corpus of \(target) has fewer than 5 entries")
        for name in names { target.run(Array(try Data(contentsOf: folder.appending(path: name)))) }
    }

    @Test(
        "On request, snapshots of the current format are written into the corpora",
        .enabled(if: ProcessInfo.processInfo.environment["REGENERATE_CORPORA"] == "1"))
    func renewal() throws { try SnapshotCorpus.write(into: Self.folder) }

    @Test("Every folder of the corpus belongs to a target")
    func folders() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Set(names) == Set(FuzzTarget.allCases.map(\.rawValue)))
    }
}
