import Testing

@testable import LoadTesting

@Suite("Reading answers in a load test")
struct ReplyReaderTests {
    @Test(
        "The number `t` of a `pong` is found at any position",
        arguments: [
            (#"{"type":"pong","t":12,"time":81532.25,"ack":12}"#, 12),
            (#"[{"type":"update","view":"t"},{"type":"pong","t":0,"time":1}]"#, 0),
            (#"[{ "t" : 907 , "type" : "pong" },{"type":"items","items":[{"t":3}]}]"#, 907),
            (
                #"[{"type":"items","items":["pong",{"name":"pong","t":5}]},{"type":"pong","t":7}]"#,
                7
            ),
        ])
    func pong(frame: String, number: Int) {
        #expect(ReplyReader.lastPong(in: Array(frame.utf8).span) == number)
    }

    @Test(
        "A text that only resembles a `pong` is not read as a `pong`",
        arguments: [
            "", "{}", #""pong""#, #"{"type":"items","items":[{"name":"pong","t":5}]}"#,
            #"{"type":"pong"}"#, #"{"kind":"pong","t":1}"#, #"{"type":"pong","t":}"#,
            #"{"text":"\"type\":\"pong\",\"t\":4"}"#,
        ])
    func noPong(frame: String) {
        #expect(ReplyReader.lastPong(in: Array(frame.utf8).span) == nil)
    }

    @Test("All `pong` messages of a frame are found in order, and texts like them are ignored")
    func pongs() {
        func numbers(_ frame: String) -> [Int] { ReplyReader.pongs(in: Array(frame.utf8).span) }
        let frame =
            #"[{"type":"pong","t":3},{"type":"items","items":["pong",{"name":"pong","t":9}]},"#
            + #"{ "t" : 4 , "type" : "pong" },{"type":"pong","t":5,"time":1}]"#
        #expect(numbers(frame) == [3, 4, 5])
        #expect(numbers(#"{"type":"update","view":"list"}"#).isEmpty)
    }

    @Test("The codes of faults are found, and items that resemble a fault are ignored")
    func errors() {
        func codes(_ frame: String) -> [String] { ReplyReader.errors(in: Array(frame.utf8).span) }
        #expect(codes(#"{"type":"error","code":"unknownView","message":"m"}"#) == ["unknownView"])
        let two =
            #"[{"type":"error","code":"a"},{"type":"pong","t":1},{"type":"error","code":"b"}]"#
        #expect(codes(two) == ["a", "b"])
        #expect(codes(#"{"type":"items","items":[{"type":"error","code":"a"}]}"#).isEmpty)
        #expect(
            codes(#"[{"type":"error","code":"a"},{"type":"items","items":["error"]}]"#) == ["a"])
        #expect(codes(#"{"type":"update"}"#).isEmpty)
    }
}
