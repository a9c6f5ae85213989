import RefreshProtocol
import Testing

@testable import JournalReplay
@testable import ScenarioKit

@Suite("Comparison of the outputs of two servers")
struct OutputComparisonTests {
    /// Compares the frames `got` with `recorded`. The mismatch is nil if they agree.
    private static func compare(
        _ recorded: [String], _ got: [String]
    ) -> (mismatch: OutputComparison.Mismatch?, missing: ServerOutput?, agreed: Int) {
        let parse = { (frames: [String]) in
            frames.enumerated().flatMap { ServerOutput.all(in: $1, number: $0) }
        }
        let expected = parse(recorded)
        var comparison = OutputComparison(expected)
        for output in parse(got) {
            if let mismatch = comparison.compare(output) {
                return (mismatch, nil, comparison.matchCount)
            }
        }
        return (nil, comparison.missing(before: expected.count), comparison.matchCount)
    }

    private static func agree(_ recorded: [String], _ got: [String]) -> Bool {
        let (mismatch, missing, _) = compare(recorded, got)
        return mismatch == nil && missing == nil
    }

    private static func update(_ ack: Int, _ rest: String, view: String = "list") -> String {
        #"{"type":"update","view":"\#(view)","ack":\#(ack),\#(rest)}"#
    }

    @Test("Names, tokens, times, snapshots, indicator frames and control laws may differ")
    func others() {
        #expect(
            Self.agree(
                [
                    #"""
                    [{"type":"welcome","protocol":1,"session":"a","token":"t","time":5},
                     {"type":"attached","view":"v","ack":0,"generation":1,"top":{"state":"idle","frame":{"a":{}}}},
                     {"type":"update","view":"v","ack":1,"top":{"state":"refreshing","cause":"code"},
                      "inset":{"top":60,"duration":100,"start":7,"curve":"linear"},"lastUpdated":12.5},
                     {"type":"loading","view":"v","load":"1.1","phase":"began","page":1},
                     {"type":"snapshot","ack":1,"sealed":"x"}]
                    """#
                ],
                [
                    #"{"type":"welcome","protocol":1,"session":"b","server":"other","time":99}"#,
                    #"{"type":"attached","view":"v","ack":0,"generation":7,"top":{"state":"idle"}}"#,
                    #"""
                    {"type":"update","view":"v","ack":1,"top":{"cause":"code","state":"refreshing"},
                     "law":{},"inset":{"top":60.004,"duration":100,"start":0,"curve":"linear"}}
                    """#,
                    #"{"type":"update","view":"v","ack":1,"lastUpdated":0}"#,
                    #"{"type":"loading","view":"v","load":"r9","phase":"progress","progress":0.5}"#,
                    #"{"type":"loading","view":"v","load":"r9","phase":"began","page":1}"#,
                    #"{"type":"novelty"}"#,
                ]))
    }

    @Test(
        "A change of any compared value is a difference at the path of this value",
        arguments: [
            (#""top":{"state":"idle","result":"success"}"#, "success", "failed", "$.top.result"),
            (#""inset":{"top":60,"duration":100}"#, "60", "61", "$.inset.top"),
            (
                #""offset":{"to":-60,"duration":100,"start":1,"curve":"linear"}"#, "-60", "-61",
                "$.offset.to"
            ),
            (#""offset":{"to":-60,"duration":0}"#, "-60", "-60.02", "$.offset.to"),
            (#""top":{"progress":0.5}"#, "0.5", "0.6", "$.top.progress"),
            (#""haptic":["impact","selection"]"#, "selection", "impact", "$.haptic[1]"),
            (#""floor":{"state":"open"}"#, "open", "idle", "$.floor.state"),
            (#""list":{"count":5,"more":true}"#, "true", "false", "$.list.more"),
            (#""newer":true"#, "true", "false", "$.newer"),
            (#""lastUpdated":5"#, "5", "null", "$.lastUpdated"),
        ])
    func changed(rest: String, old: String, new: String, path: String) {
        let recorded = Self.update(4, rest)
        let (mismatch, _, agreed) = Self.compare(
            [recorded], [Self.update(4, rest.replacing(old, with: new))])
        #expect(mismatch?.field.path == path)
        #expect(mismatch?.recorded != nil && mismatch?.got != nil)
        #expect(agreed == (rest.contains("haptic") ? 1 : 0))
        #expect(Self.agree([recorded], [recorded]))
    }

    @Test("A replaced state may be missing unless another update has the `ack` of this state")
    func overtaken() {
        let pulling = Self.update(5, #""top":{"state":"pulling"}"#)
        let eligible = Self.update(6, #""top":{"state":"eligible"}"#)
        #expect(Self.agree([pulling, eligible], [eligible]))
        #expect(Self.agree([eligible], [pulling, eligible]))
        // The server has sent an update for the first `ack`. So it has not merged the first state
        // into the update for the second `ack`.
        let (mismatch, _, _) = Self.compare(
            [pulling, eligible], [Self.update(5, #""law":{}"#), eligible])
        #expect(mismatch?.field.path == "$.top.state")
        #expect(Self.compare([pulling, eligible], [pulling]).missing?.subject == "top")
        // A later cue does not replace an earlier one, so the missing cue is a difference.
        #expect(
            !Self.agree(
                [Self.update(5, #""haptic":["impact"]"#), eligible],
                [Self.update(6, #""haptic":["selection"]"#), eligible]))
    }

    @Test("While an offset follows a finger, steps may be missing, but those sent must agree")
    func following() {
        let ways = (1...5).map { Self.update($0, #""offset":{"to":-\#($0),"duration":0}"#) }
        #expect(Self.agree(ways, [ways[0], ways[4]]))
        #expect(Self.agree([ways[0], ways[4]], ways))
        #expect(!Self.agree(ways, [Self.update(3, #""offset":{"to":-2,"duration":0}"#)]))
    }

    @Test("The outputs of different views may be interleaved, but each view has its own order")
    func views() {
        let one = Self.update(1, #""top":{"state":"pulling"}"#, view: "a")
        let two = Self.update(1, #""top":{"state":"pulling"}"#, view: "b")
        #expect(Self.agree([one, two], [two, one]))
        #expect(Self.agree([one, two], ["[\(two),\(one)]"]))
        let refreshing = Self.update(1, #""top":{"state":"refreshing"}"#, view: "a")
        let (mismatch, _, _) = Self.compare([one, refreshing], [refreshing, one])
        #expect(mismatch?.field.expected == .string("pulling"))
        #expect(mismatch?.field.got == .string("refreshing"))
    }

    @Test("Each load has its own name on each server")
    func loads() {
        let began = { (name: String) in
            #"{"type":"loading","view":"v","load":"\#(name)","phase":"began"}"#
        }
        let items = { (name: String) in #"{"type":"items","view":"v","load":"\#(name)","count":1}"#
        }
        let recorded = [began("1"), items("1"), began("2"), items("2")]
        #expect(Self.agree(recorded, [began("x"), items("x"), began("y"), items("y")]))
        let (swapped, _, _) = Self.compare(recorded, [began("x"), items("y")])
        #expect(swapped?.field.path == "$.load" && swapped?.field.got == .string("y"))
        let (again, _, _) = Self.compare(recorded, [began("x"), items("x"), began("x")])
        #expect(again?.field.path == "$.load")
    }

    @Test("All items are compared, and each must agree exactly")
    func items() {
        let items = #"{"type":"items","view":"v","load":"1","items":[{"n":1},{"n":2.5}]}"#
        #expect(Self.agree([items], [items]))
        let (mismatch, _, _) = Self.compare([items], [items.replacing("2.5", with: "2.501")])
        #expect(mismatch?.field.path == "$.items[1].n")
        let (fewer, _, _) = Self.compare([items], [items.replacing(#",{"n":2.5}"#, with: "")])
        #expect(fewer?.field.path == "$.items[1]" && fewer?.field.got == nil)
    }

    @Test("An output is a difference if it follows the last recorded one or has another subject")
    func surplus() {
        let pulling = Self.update(5, #""top":{"state":"pulling"}"#)
        let (surplus, _, _) = Self.compare([pulling], [pulling, #"{"type":"error","code":"x"}"#])
        #expect(surplus?.recorded == nil && surplus?.field.expected == nil)
        let (other, _, _) = Self.compare([pulling], [Self.update(5, #""inset":{"top":1}"#)])
        #expect(other?.field.path == "$")
        #expect(other?.field.expected?["top"]?["state"] == .string("pulling"))
        #expect(other?.field.got?["inset"] != nil)
    }
}
