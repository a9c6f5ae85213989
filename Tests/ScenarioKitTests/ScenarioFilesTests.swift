import ScenarioKit
import Testing
import Workbench

@Suite("The scenarios of the repository")
struct ScenarioFilesTests {
    private static let categories: Set<Substring> = [
        "refresh", "more", "paging", "uikit", "pan", "session", "view", "floor", "indicator", "law",
        "profile", "feed", "depth", "unread",
    ]

    @Test("There are at least 24 scenarios, and each name begins with a category")
    func names() {
        let used = Set(ScenarioFiles.names.compactMap { $0.split(separator: "-").first })
        #expect(ScenarioFiles.names.count >= 24)
        #expect(used == Self.categories)
    }

    @Test("Every scenario can be parsed", arguments: ScenarioFiles.names)
    func parses(name: String) throws {
        let scenario = try ScenarioFile.read(ScenarioFiles.path(of: name))
        #expect(!scenario.phases.isEmpty)
    }
}
