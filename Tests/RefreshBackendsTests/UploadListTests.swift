import Foundation
import RefreshBroker
import RefreshProtocol
import Testing

@testable import RefreshBackends

@Suite("The uploads of the demo")
struct UploadListTests {
    private static let noon: Int64 = 1_000_000 * UploadList.intervalMs
    private static let packages = (0..<10).map { number in
        DebianPackage(
            name: "p\(9 - number)", version: "1.\(number)",
            description: number == 4 ? "Draws a Compass" : "One of many",
            section: number < 3 ? "libs" : "utils", installedKiB: number * 100)
    }
    private let list = UploadList(packages: packages)

    private func uploads(
        at time: Int64 = noon, _ change: (inout UploadQuery) -> Void = { _ in }
    ) -> [Upload] {
        var query = UploadQuery()
        change(&query)
        return list.uploads(for: query, at: time)
    }

    @Test("The list has the newest hundred uploads, and each interval adds a new upload")
    func time() {
        let before = uploads()
        #expect(before.map(\.number) == (999_901...1_000_000).reversed().map { $0 })
        #expect(uploads(at: Self.noon + UploadList.intervalMs - 1) == before)
        let after = uploads(at: Self.noon + UploadList.intervalMs)
        #expect(after.count == 100)
        #expect(after.first?.number == 1_000_001)
        #expect(Array(after.dropFirst()) == Array(before.dropLast()))
    }

    @Test("Each package is uploaded in turn, with a new version each time")
    func versions() {
        let all = uploads()
        #expect(Set(all.prefix(10).map(\.package.name)).count == 10)
        #expect(Set(all.map { "\($0.package.name) \($0.package.version)" }).count == 100)
    }

    @Test("A text is found in names and descriptions, whether in upper or lower case")
    func search() throws {
        let found = uploads { $0.text = "compass" }
        #expect(found.count == 10)
        #expect(found.allSatisfy { $0.package.description == "Draws a Compass" })
        #expect(uploads { $0.text = "p3" }.allSatisfy { $0.package.name == "p3" })
        #expect(uploads { $0.text = "p3" }.count == 10)
        #expect(uploads { $0.text = "nothing of this name" }.isEmpty)
    }

    @Test("A section and an urgency can be combined to filter the list")
    func filters() {
        #expect(uploads { $0.section = "libs" }.count == 30)
        let urgent = uploads { $0.isUrgentOnly = true }
        #expect(urgent.count == 15)
        #expect(urgent.allSatisfy { $0.urgency == .high })
        let both = uploads {
            $0.section = "libs"
            $0.isUrgentOnly = true
        }
        #expect(!both.isEmpty)
        #expect(both.allSatisfy { $0.urgency == .high && $0.package.section == "libs" })
    }

    @Test("The list is sorted as requested, and uploads with an equal sort key are sorted by time")
    func orders() {
        let names = uploads { $0.order = .name }
        #expect(names.map(\.package.name) == names.map(\.package.name).sorted())
        #expect(names[0].number > names[1].number)
        let sizes = uploads { $0.order = .size }.compactMap(\.package.installedKiB)
        #expect(sizes.count == 100)
        #expect(sizes == sizes.sorted(by: >))
        #expect(sizes.first == 900)
    }

    @Test("Parameters of a request become a query. An unknown sort order becomes the default order")
    func parameters() {
        func query(_ values: [String: ParameterValue]) -> UploadQuery {
            UploadQuery(
                LoadRequest(
                    feed: "uploads", kind: .refresh, page: 1, offset: 0, size: 10,
                    parameters: values.map { LoadParameter(name: $0.key, value: $0.value) }))
        }
        #expect(query([:]) == UploadQuery())
        let full = query([
            "q": .text("SWIFT"), "section": .text("libs"), "urgent": .boolean(true),
            "sort": .text("size"),
        ])
        #expect((full.text, full.section) == ("swift", "libs"))
        #expect(full.isUrgentOnly)
        #expect(full.order == .size)
        #expect(query(["sort": .text("colour"), "urgent": .boolean(false)]) == UploadQuery())
    }

    @Test("Pages are well-formed JSON, and together they contain the whole list")
    func pages() throws {
        var ids: [Int64] = []
        for number in 1...11 {
            let request = LoadRequest(
                feed: "uploads", kind: .more, page: number, offset: 0, size: 10)
            let page = list.page(for: request, first: 1, at: Self.noon)
            let value = try JSONSerialization.jsonObject(with: Data(page.items))
            let items = try #require(value as? [[String: Any]])
            #expect((page.count, page.total) == (items.count, 100))
            #expect(page.more == (number < 10))
            for item in items {
                #expect(
                    Set(item.keys) == [
                        "id", "time", "urgency", "name", "version", "description", "section",
                        "installedKiB",
                    ])
            }
            ids += items.compactMap { ($0["id"] as? NSNumber)?.int64Value }
        }
        #expect(ids == uploads().map(\.number))
    }

    @Test("Extreme times and requests cause no trap")
    func extremes() {
        for time in [Int64.min, -1, 0, Int64.max] {
            #expect(uploads(at: time).count == 100)
            for page in [Int.min, 0, Int.max] {
                for size in [Int.min, 0, Int.max] {
                    let request = LoadRequest(
                        feed: "uploads", kind: .more, page: page, offset: 0, size: size)
                    let answer = list.page(for: request, first: 1, at: time)
                    #expect(answer.count <= 100)
                }
            }
        }
        #expect(UploadList(packages: []).uploads(for: UploadQuery(), at: Self.noon).isEmpty)
    }

    @Test("The packages in the bundled JSON are parsed, and invalid JSON is refused")
    func bundledPackages() throws {
        let text = #"""
            [{"name":"a\"b","version":"1","description":"d","section":"libs","installedKiB":12},
             {"installedKiB":null,"extra":[1,{"name":"x"}],"name":"c"}, {}]
            """#
        let packages = try DebianPackage.packages(inJSON: Array(text.utf8))
        #expect(
            packages == [
                DebianPackage(
                    name: "a\"b", version: "1", description: "d", section: "libs",
                    installedKiB: 12),
                DebianPackage(name: "c"), DebianPackage(),
            ])
        for broken in ["[1]", "[{]", #"[{"name"}]"#, "[{}"] {
            #expect(throws: AnswerFault.self) {
                try DebianPackage.packages(inJSON: Array(broken.utf8))
            }
        }
    }
}

/// The backend of the uploads reports each upload as newer data of its feed.
@Suite("The reports of uploads")
struct UploadReportsTests {
    private let noon: Int64 = 1_000_000 * UploadList.intervalMs

    @Test("The first load begins the reports, and each upload is reported at its time")
    func begin() {
        var reports = UploadReports()
        let first = reports.recordLoad(at: noon + 1)
        let second = reports.recordLoad(at: noon + 2)
        #expect((first, second) == (true, false))
        #expect(reports.nextDelay(at: noon + 2) == UploadList.intervalMs - 2)
        #expect(reports.nextDelay(at: noon + UploadList.intervalMs) == UploadList.intervalMs)
    }

    @Test("Some minutes after the last load the reports end, and the next load begins them again")
    func end() {
        var reports = UploadReports()
        _ = reports.recordLoad(at: noon)
        _ = reports.recordLoad(at: noon + 1000)
        let later = noon + 1000 + reports.reportedMs
        #expect(reports.nextDelay(at: later - 1) != nil)
        #expect(reports.nextDelay(at: later) == nil)
        #expect(!reports.areRunning)
        let again = reports.recordLoad(at: later)
        #expect(again)
        #expect(reports.nextDelay(at: later) != nil)
    }

    @Test("If the wall clock was set back, the reports end")
    func clockSetBack() {
        var reports = UploadReports()
        _ = reports.recordLoad(at: noon)
        #expect(reports.nextDelay(at: noon - 1) == nil)
        #expect(!reports.areRunning)
    }

    @Test("A stop ends the reports, and no later load begins them")
    func stop() {
        var reports = UploadReports()
        _ = reports.recordLoad(at: noon)
        reports.stop()
        #expect(reports.nextDelay(at: noon) == nil)
        let begins = reports.recordLoad(at: noon)
        #expect(!begins)
    }

    @Test("A wall clock outside of the list's range does not make the delay short or negative")
    func strangeClock() {
        for time in [Int64(0), -5_000_000, UploadList.intervalMs * 2] {
            var reports = UploadReports()
            _ = reports.recordLoad(at: time)
            let delay = reports.nextDelay(at: time)
            #expect(delay == UploadList.intervalMs)
        }
    }

    @Test("The backend reports newer data of its feed after a load")
    func backend() async throws {
        let notices = FeedNotices()
        let (reported, continuation) = AsyncStream<String>.makeStream()
        notices.setListener { continuation.yield($0.feed) }
        // The clock always shows the time 1 ms before an upload, so each delay is 1 ms.
        let time = noon - 1
        let backend = try UploadsBackend(
            feed: "mine", packages: Array(#"[{"name":"a"}]"#.utf8), firstPage: 1,
            notices: notices, wallMilliseconds: { time })
        let page = try await backend.load(
            LoadRequest(feed: "mine", kind: .refresh, page: 1, offset: 0, size: 10))
        #expect((page.count, page.total, page.more) == (10, 100, true))
        var feeds: [String] = []
        for await feed in reported.prefix(2) { feeds.append(feed) }
        #expect(feeds == ["mine", "mine"])
        backend.stop()
    }
}
