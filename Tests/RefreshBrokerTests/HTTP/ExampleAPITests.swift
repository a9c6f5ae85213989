import Foundation
import Glibc
import RefreshBroker
import RefreshProtocol
import Testing

/// The API of examples/http, started as its README says, behind the http backend.
@Suite("The example API behind the http backend")
struct ExampleAPITests {
    private static let script = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "../../../examples/http/api.py").standardized

    @Test("45 orders come in three pages, and a search in one")
    func pages() async throws {
        let python = Process()
        python.executableURL = URL(filePath: "/usr/bin/env")
        python.arguments = ["python3", Self.script.path, "0"]
        let output = Pipe()
        python.standardOutput = output
        python.standardError = FileHandle.nullDevice
        try python.run()
        defer {
            // Not SIGTERM: test threads block signals, and the child has inherited that.
            kill(python.processIdentifier, SIGKILL)
            python.waitUntilExit()
        }
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let address = line.trimmingCharacters(in: .whitespacesAndNewlines)
        var options = HTTPOptions()
        options.totalTimeoutMs = 60_000
        let backend = try HTTPBackend(
            url: address + "/orders?page={page}&size={size}&q={parameter:q}", parameters: ["q"],
            options: options)

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
        let value = try JSONSerialization.jsonObject(with: Data(found.items))
        let orders = try #require(value as? [[String: String]])
        #expect(!orders.isEmpty)
        #expect(orders.allSatisfy { $0["item"] == "kettle, 2 pieces" })
        #expect((found.more, found.total) == (false, orders.count))
    }
}
