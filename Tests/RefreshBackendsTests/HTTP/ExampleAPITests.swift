import Foundation
import Glibc
import RefreshBackends
import RefreshBroker
import RefreshProtocol
import Testing
import Workbench

/// The API of examples/http as the source of the http backend. The API is started as its README
/// describes.
@Suite("The example API with the http backend")
struct ExampleAPITests {
    /// The API on a free port. The process ends when this object is released.
    private final class API {
        let url: String
        private let python = Process()

        init() throws {
            let script = URL(filePath: #filePath).resolvingSymlinksInPath()
                .deletingLastPathComponent().appending(path: "../../../examples/http/api.py")
            python.executableURL = URL(filePath: "/usr/bin/env")
            python.arguments = ["python3", script.standardized.path, "0"]
            let output = Pipe()
            python.standardOutput = output
            python.standardError = FileHandle.nullDevice
            try python.run()
            let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            url = line.trimmingCharacters(in: .whitespacesAndNewlines)
        }

        deinit {
            // SIGTERM would not work, because test threads block signals and the child inherits
            // their signal mask.
            kill(python.processIdentifier, SIGKILL)
            python.waitForStatus()
        }
    }

    private func items(_ page: Page) throws -> [[String: String]] {
        let value = try JSONSerialization.jsonObject(with: Data(page.items))
        return try #require(value as? [[String: String]])
    }

    @Test("45 orders are returned in three pages, and the results of a search in one page")
    func pages() async throws {
        let api = try API()
        let backend = try HTTPBackend(
            url: api.url + "/orders?page={page}&size={size}&q={parameter:q}", parameters: ["q"],
            options: .patient())
        var counts: [Int] = []
        var page: Page
        repeat {
            let number = counts.count + 1
            page = try await backend.load(
                LoadRequest(feed: "orders", kind: .more, page: number, offset: 0, size: 20))
            counts.append(page.count)
            #expect(page.total == 45)
        } while page.more == true && counts.count < 10
        #expect(counts == [20, 20, 5])

        let found = try await backend.load(
            LoadRequest(
                feed: "orders", kind: .refresh, page: 1, offset: 0, size: 20,
                parameters: [LoadParameter(name: "q", value: .text("kettle, 2"))]))
        let orders = try items(found)
        #expect(!orders.isEmpty)
        #expect(orders.allSatisfy { $0["item"] == "kettle, 2 pieces" })
        #expect((found.more, found.total) == (false, orders.count))
    }

    @Test("A search by POST is paged by cursor, and an equal request returns the same page")
    func search() async throws {
        let api = try API()
        let items = try #require(JSONPointer("/result/orders"))
        let next = try #require(JSONPointer("/result/last"))
        let options = HTTPOptions.patient {
            $0.method = .post
            $0.body = Array(
                #"{"text":"{parameter:q}","after":"{cursor}","limit":"{size}"}"#.utf8)
            $0.items = items
            $0.next = .pointer(next)
            $0.etag = true
        }
        let backend = try HTTPBackend(
            url: api.url + "/search", parameters: ["q"], options: options)
        var request = LoadRequest(
            feed: "search", kind: .refresh, page: 1, offset: 0, size: 5,
            parameters: [LoadParameter(name: "q", value: .text("kettle"))])
        let first = try await backend.load(request)
        #expect((first.count, first.more, first.cursor) == (5, true, "1023"))
        #expect(try await backend.load(request) == first)
        request.cursor = first.cursor
        let second = try await backend.load(request)
        #expect((second.count, second.more, second.cursor) == (2, false, nil))
        let found = try self.items(first) + self.items(second)
        #expect(found.allSatisfy { $0["item"]?.contains("kettle") == true })
        #expect(Set(found.map { $0["id"] }).count == 7)
    }
}
