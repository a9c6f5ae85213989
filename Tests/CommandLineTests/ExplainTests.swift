import Foundation
import RefreshProtocol
import Testing
import WireContract
import Workbench

@Suite("refresh-probe explain", .ownThread, .limit)
struct ExplainTests {
    @Test("Every fault, diagnostic and close code is explained with the text of its registry")
    func all() throws {
        for fault in FaultCode.allCases {
            let explanation = try #require(Explanation.forCode(fault.rawValue))
            #expect(explanation.kind == .fault)
            #expect(explanation.text.contains(fault.message))
            #expect(explanation.text.contains(fault.advice))
            #expect(explanation.isTemporary == fault.isTemporary)
        }
        for diagnostic in DiagnosticCode.allCases {
            let explanation = try #require(Explanation.forCode(diagnostic.rawValue))
            #expect(explanation.kind == .diagnostic)
            #expect(explanation.text.hasPrefix("\(diagnostic.rawValue)  (diagnostic)\n"))
            #expect(explanation.text.contains(diagnostic.message))
            #expect(explanation.text.contains(diagnostic.advice))
            #expect(
                explanation.text.contains(diagnostic.page ?? "docs/protocol.md#diagnostics"))
        }
        for close in CloseCode.allCases {
            let explanation = try #require(Explanation.forCode(String(close.rawValue)))
            #expect(explanation.kind == .close)
            #expect(explanation.text.contains(close.meaning))
            let faults = FaultCode.allCases.filter { $0.closeCode == close }.map(\.rawValue)
            #expect(explanation.others == faults)
        }
        #expect(Set(Explanation.all.map(\.code)).count == Explanation.all.count)
    }

    @Test("Without a terminal, an explanation is printed without colours")
    func printed() throws {
        let ending = try ProbeTests.run(["explain", "slowclient"])
        #expect(ending.status == 0)
        #expect(ending.errors.isEmpty)
        let lines = ending.output.split(separator: "\n")
        #expect(lines.first == "slowClient  (fault)")
        #expect(lines.contains("  closes with  4101"))
        #expect(lines.contains("  see          docs/protocol.md#faults"))
        #expect(!ending.output.contains("\u{1B}"))
    }

    @Test(
        "A standard close code of WebSocket is explained with the responsible party and advice",
        arguments: StandardCloseCode.allCases)
    func standard(close: StandardCloseCode) throws {
        let explanation = try #require(Explanation.forCode(String(close.rawValue)))
        #expect(explanation.kind == .close && explanation.others.isEmpty)
        #expect(explanation.text.contains(close.meaning))
        #expect(explanation.text.contains("  responsible  \(close.responsibleParty.phrase)\n"))
        #expect(explanation.text.contains("  what to do   \(close.advice)\n"))
        #expect(CloseCode(rawValue: close.rawValue) == nil)
    }

    @Test("The explanation of 1002 states that the session is kept")
    func protocolError() throws {
        let ending = try ProbeTests.run(["explain", "1002"])
        #expect(ending.status == 0)
        #expect(ending.output.contains("the session is kept for a while"), "\(ending.output)")
        #expect(ending.output.contains("Reconnect with back-off, and resume"))
    }

    @Test("With --json, the explanation is an object")
    func json() throws {
        let ending = try ProbeTests.run(["explain", "--json", "4101"])
        #expect(ending.status == 0)
        let value = try JSONValue(parsing: ending.output)
        #expect(value["code"] == .number(4101))
        #expect(value["temporary"] == .bool(true))
        #expect(value["faults"] == .array([.string("slowClient")]))
    }

    @Test("Without a code, all codes are listed, one in each line")
    func list() throws {
        let count =
            FaultCode.allCases.count + DiagnosticCode.allCases.count
            + CloseCode.allCases.count + StandardCloseCode.allCases.count
        for flags in [[], ["--json"]] {
            let ending = try ProbeTests.run(["explain"] + flags)
            #expect(ending.status == 0)
            #expect(ending.output.split(separator: "\n").count == count)
        }
    }

    @Test(
        "If the code is unknown, the status is 1, and similar codes are suggested",
        arguments: [
            ("slowclent", "slowClient"), ("4106", "4105"), ("Option", "invalidOption"),
        ])
    func unknown(code: String, meant: String) throws {
        let ending = try ProbeTests.run(["explain", code])
        #expect(ending.status == 1)
        #expect(ending.output.isEmpty)
        #expect(ending.errors.contains(code) && ending.errors.contains(meant))
    }

    @Test("For a code without similar codes, nothing is suggested")
    func unlike() throws {
        let ending = try ProbeTests.run(["explain", "zzz"])
        #expect(ending.status == 1)
        #expect(ending.errors == "There is no code zzz.\n")
    }
}
