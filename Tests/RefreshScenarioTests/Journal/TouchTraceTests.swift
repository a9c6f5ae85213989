import RefreshServer
import Testing

@testable import RefreshScenario

@Suite("Touch traces")
struct TouchTraceTests {
    @Test("Each replays byte for byte, to its end", arguments: TouchTrace.all.map(\.name))
    func replays(name: String) throws {
        let trace = try #require(TouchTrace.all.first { $0.name == name })
        let verdict = try JournalReplay.run(trace.bytes)
        #expect(verdict.isIdentical, "\(verdict.text)")
        #expect(verdict.isClosed)
        #expect(verdict.inputs > 10 && verdict.outputs > 10)
    }

    @Test("There are ten at least, and none tells a token")
    func masked() throws {
        #expect(TouchTrace.all.count >= 10)
        for trace in TouchTrace.all {
            let text = String(decoding: trace.bytes, as: UTF8.self)
            for part in text.split(separator: #"\"token\":\""#).dropFirst() {
                #expect(part.hasPrefix("AAAAAAAAAAAAAAAAAAAAAA\\"), "\(trace.name)")
            }
        }
    }
}
