import Foundation
import RefreshBroker
import RefreshProtocol
import Testing
import Workbench

@testable import RefreshBackends

@Suite("The file backend")
struct FileBackendTests {
    private func request(
        _ page: Int = 1, offset: Int = 0, size: Int = 2, cursor: String? = nil
    ) -> LoadRequest {
        LoadRequest(
            feed: "f", kind: .more, page: page, offset: offset, size: size, cursor: cursor)
    }

    private func text(_ page: Page) -> String { String(decoding: page.items, as: UTF8.self) }

    private func failure(_ backend: FileBackend, _ request: LoadRequest) async -> LoadFailure? {
        do throws(LoadFailure) {
            _ = try await backend.load(request)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "All formats yield the same items. The file name extension or the option sets the format",
        arguments: [
            ("a.json", nil, "[{\"n\":\"1\"}, {\"n\":\"2\"},\n{\"n\":\"3\"}]"),
            ("a.JSON", nil, "{\"items\":[{\"n\":\"1\"},{\"n\":\"2\"},{\"n\":\"3\"}]}"),
            ("a.jsonl", nil, "{\"n\":\"1\"}\n\n {\"n\":\"2\"} \r\n{\"n\":\"3\"}"),
            ("a.ndjson", nil, "{\"n\":\"1\"}\n{\"n\":\"2\"}\n{\"n\":\"3\"}\n"),
            ("a.csv", nil, "n\n1\n2\n3\n"),
            ("a.txt", FileFormat.csv, "n\r\n1\r\n2\r\n3\r\n"),
            ("noextension", FileFormat.jsonl, "{\"n\":\"1\"}\n{\"n\":\"2\"}\n{\"n\":\"3\"}"),
        ] as [(String, FileFormat?, String)])
    func formats(name: String, format: FileFormat?, content: String) async throws {
        let file = try TemporaryFile(name, content)
        let backend = try FileBackend(path: file.path, format: format)
        let first = try await backend.load(request(1))
        #expect(text(first) == #"[{"n":"1"},{"n":"2"}]"#)
        #expect((first.count, first.more, first.total) == (2, true, 3))
        let second = try await backend.load(request(2))
        #expect(text(second) == #"[{"n":"3"}]"#)
        #expect((second.count, second.more, second.total) == (1, false, 3))
    }

    @Test("Items of any type are returned byte for byte")
    func bytes() async throws {
        let file = try TemporaryFile("a.json", #"[1.50,"\u00e9", {"a" : [ ]},null]"#)
        let backend = try FileBackend(path: file.path)
        let page = try await backend.load(request(1, size: 9))
        #expect(text(page) == #"[1.50,"\u00e9",{"a" : [ ]},null]"#)
    }

    @Test("Page numbers start at 0 or 1, and any number outside the list is accepted")
    func byPage() async throws {
        let file = try TemporaryFile("a.json", "[0,1,2,3,4]")
        let one = try FileBackend(path: file.path)
        let zero = try FileBackend(path: file.path, firstPage: 0)
        #expect(text(try await one.load(request(3))) == "[4]")
        #expect(text(try await zero.load(request(2))) == "[4]")
        #expect(text(try await one.load(request(4))) == "[]")
        #expect(try await one.load(request(4)).more == false)
        #expect(text(try await one.load(request(.max, size: .max))) == "[]")
        #expect(text(try await one.load(request(.min, size: .max))) == "[0,1,2,3,4]")
        #expect(text(try await one.load(request(1, size: -1))) == "[]")
    }

    @Test("Pages are selected by offset, and any offset outside the list is accepted")
    func byOffset() async throws {
        let file = try TemporaryFile("a.json", "[0,1,2,3,4]")
        let backend = try FileBackend(path: file.path, paging: .offset)
        #expect(text(try await backend.load(request(offset: 3))) == "[3,4]")
        #expect(try await backend.load(request(offset: 3)).more == false)
        #expect(text(try await backend.load(request(offset: .max))) == "[]")
        #expect(text(try await backend.load(request(offset: -5))) == "[0,1]")
    }

    @Test("With firstPage 1, offsets start at 1")
    func byOffsetFromOne() async throws {
        let file = try TemporaryFile("a.json", "[0,1,2,3,4]")
        let backend = try FileBackend(path: file.path, paging: .offset, firstPage: 1)
        #expect(text(try await backend.load(request(offset: 1))) == "[0,1]")
        #expect(text(try await backend.load(request(offset: 3))) == "[2,3]")
        #expect(text(try await backend.load(request(offset: .min))) == "[0,1]")
    }

    @Test("Without paging, every request returns the first page, and more is false")
    func noPaging() async throws {
        let file = try TemporaryFile("a.json", "[0,1,2]")
        let backend = try FileBackend(path: file.path, paging: .none)
        let page = try await backend.load(request(2, offset: 2))
        #expect(text(page) == "[0,1]")
        #expect(page.more == false)
    }

    @Test("Each page has the cursor of the next page, except the last page")
    func byCursor() async throws {
        let file = try TemporaryFile("a.jsonl", "10\n11\n12\n13\n14\n")
        let backend = try FileBackend(path: file.path, paging: .cursor)
        var seen: [String] = []
        var cursor: String?
        repeat {
            let page = try await backend.load(request(cursor: cursor))
            seen.append(text(page))
            cursor = page.cursor
            #expect((cursor != nil) == page.more)
        } while cursor != nil
        #expect(seen == ["[10,11]", "[12,13]", "[14]"])
    }

    @Test("A cursor remains valid if items are appended, or added or removed before its position")
    func cursorSurvives() async throws {
        let file = try TemporaryFile("a.jsonl", "10\n11\n12\n13\n")
        let backend = try FileBackend(path: file.path, paging: .cursor)
        let cursor = try #require(try await backend.load(request()).cursor)
        try file.write("10\n11\n12\n13\n14\n")
        #expect(text(try await backend.load(request(size: 9, cursor: cursor))) == "[12,13,14]")
        try file.write("8\n9\n10\n11\n12\n")
        #expect(text(try await backend.load(request(size: 9, cursor: cursor))) == "[12]")
        try file.write("11\n12\n")
        #expect(text(try await backend.load(request(size: 9, cursor: cursor))) == "[12]")
        try file.write("10\n12\n")
        #expect(await failure(backend, request(cursor: cursor))?.code == .backendRejected)
    }

    @Test("If several items are equal, the cursor refers to the item nearest to its old position")
    func cursorAmongEquals() async throws {
        let file = try TemporaryFile("a.jsonl", "7\n7\n7\n7\n1\n7\n")
        let backend = try FileBackend(path: file.path, paging: .cursor)
        let cursor = try #require(try await backend.load(request()).cursor)
        #expect(text(try await backend.load(request(size: 9, cursor: cursor))) == "[7,7,1,7]")
    }

    @Test(
        "A cursor that does not come from this backend is refused",
        arguments: ["", "1", "-1-2", "0-0", "x-1", "1-x", "1-2-3", "99999999999999999999-1", "5-0"])
    func wrongCursor(cursor: String) async throws {
        let file = try TemporaryFile("a.json", "[0,1,2]")
        let backend = try FileBackend(path: file.path, paging: .cursor)
        #expect(await failure(backend, request(cursor: cursor))?.code == .backendRejected)
    }

    @Test("A changed file is read again, and after a recent change even if size and time are equal")
    func rereading() async throws {
        let file = try TemporaryFile("a.json", "[1]")
        // `Date` rounds the time. The file gets the rounded time now, so that the test can set
        // exactly this time later.
        let time = try file.modificationDate
        try file.setModificationDate(time)
        let backend = try FileBackend(path: file.path)
        #expect(text(try await backend.load(request())) == "[1]")
        try file.write("[2]")
        try file.setModificationDate(time)
        #expect(text(try await backend.load(request())) == "[2]")
        try file.write("[1,2,3]")
        #expect(try await backend.load(request()).total == 3)
        try file.age(bySeconds: 60)
        #expect(try await backend.load(request()).total == 3)
        try file.write("[4,5,6]")
        #expect(text(try await backend.load(request())) == "[4,5]")
    }

    @Test("An unchanged file is not read twice")
    func caching() async throws {
        let file = try TemporaryFile("a.json", "[1]")
        try file.age(bySeconds: 60)
        let backend = try FileBackend(path: file.path)
        #expect(text(try await backend.load(request())) == "[1]")
        // Size and time are the same, so the change is not detected, and the cached items are
        // served.
        let time = try file.modificationDate
        try file.write("[2]")
        try file.setModificationDate(time)
        #expect(text(try await backend.load(request())) == "[1]")
    }

    @Test("While the file does not exist, the backend is unavailable")
    func missing() async throws {
        let file = try TemporaryFile("a.json")
        let backend = try FileBackend(path: file.path)
        let failed = await failure(backend, request())
        #expect(failed?.code == .backendUnavailable)
        #expect(failed?.isTemporary == true)
        try file.write("[1]")
        #expect(text(try await backend.load(request())) == "[1]")
        try file.remove()
        #expect(await failure(backend, request())?.code == .backendUnavailable)
    }

    @Test("A folder or a device is not read")
    func notAFile() async throws {
        let folder = try FileBackend(
            path: FileManager.default.temporaryDirectory.path, format: .json)
        #expect(await failure(folder, request())?.code == .backendUnavailable)
        let device = try FileBackend(path: "/dev/zero", format: .json)
        #expect(await failure(device, request())?.code == .backendUnavailable)
    }

    @Test("A file or a page that is too large fails with backendAnswerTooLarge")
    func tooLarge() async throws {
        let text = "[\"aaaaaaaa\",\"bbbbbbbb\"]" + String(repeating: " ", count: 1001)
        let file = try TemporaryFile("a.json", text)
        let exact = try FileBackend(path: file.path, bytesMax: 1024)
        #expect(try await exact.load(request()).count == 2)
        let page = try FileBackend(path: file.path, answerBytesMax: 20)
        #expect(await failure(page, request())?.code == .backendAnswerTooLarge)
        #expect(try await page.load(request(size: 1)).count == 1)
        try file.write(text + " ")
        #expect(await failure(exact, request())?.code == .backendAnswerTooLarge)
    }

    @Test(
        "A file with invalid content fails with backendAnswerMalformed and the position",
        arguments: [
            ("a.json", "[1,2", "The file is not JSON at byte 4."),
            (
                "a.json", "{\"rows\":[]}",
                "The file is neither an array nor an object with an array `items`."
            ),
            ("a.jsonl", "1\n{\"a\":\n2}\n", "Line 2 of the file is not JSON at byte 2."),
            ("a.jsonl", "1\n2 3\n4\n", "Line 2 of the file is not JSON at byte 4."),
            (
                "a.csv", "a,b\n1\n",
                "Line 2 of the file: its number of fields is 1, but the header's is 2."
            ),
        ])
    func malformed(name: String, content: String, message: String) async throws {
        let file = try TemporaryFile(name, content)
        let failed = await failure(try FileBackend(path: file.path), request())
        #expect(failed == LoadFailure(.backendAnswerMalformed, message))
    }

    @Test("An incomplete last line of JSON Lines is ignored until it is complete")
    func tornLine() async throws {
        let file = try TemporaryFile("a.jsonl", "{\"n\":1}\n{\"n\":2")
        let backend = try FileBackend(path: file.path)
        #expect(text(try await backend.load(request())) == #"[{"n":1}]"#)
        try file.write("{\"n\":1}\n{\"n\":2}\n")
        #expect(text(try await backend.load(request())) == #"[{"n":1},{"n":2}]"#)
    }

    @Test("An invalid configuration is refused with the name of the key")
    func configuration() {
        #expect { try FileBackend(path: "") } throws: { error in
            (error as? BackendConfigurationError)?.key == "path"
        }
        for bytesMax in [0, 1023, 1_073_741_825] {
            #expect { try FileBackend(path: "a.json", bytesMax: bytesMax) } throws: { error in
                (error as? BackendConfigurationError)?.key == "bytesMax"
            }
        }
        for path in ["a.txt", "noextension", "dir.json/file", "a."] {
            #expect { try FileBackend(path: path) } throws: { error in
                (error as? BackendConfigurationError)?.key == "format"
            }
        }
    }
}
