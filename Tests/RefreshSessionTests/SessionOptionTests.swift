import RefreshBroker
import RefreshEngine
import RefreshProtocol
import RefreshSession
import SessionBench
import Testing

@Suite("A session's options")
struct SessionOptionTests {
    @Test(
        "`attached` contains every option by its name, with its effective value",
        arguments: Profile.allCases)
    func attached(_ profile: Profile) throws {
        let tester = SessionTester()
        tester.send(#"{"type":"hello","protocol":1,"features":[]}"#)
        let answer = tester.send(
            #"{"type":"attach","seq":1,"view":"list","profile":"\#(profile.rawValue)"}"#)
        let attached = try #require(answer.first)
        #expect(attached["profile"]?.string == profile.rawValue)
        #expect(attached["axis"]?.string == "vertical" && attached["reversed"]?.bool == false)
        #expect(attached["attention"]?.string == profile.attention.rawValue)
        #expect(attached["haptics"]?.bool == profile.playsHaptics)
        #expect(attached["announcements"]?.bool == profile.announces)
        for entry in RefreshOptions.entries where !entry.needsFeatures {
            let value = try #require(attached["top"]?[entry.field.wireName], "\(entry.field)")
            #expect(value == Self.json(entry.value(in: profile.refresh)), "\(entry.field)")
        }
        #expect(attached["top"]?["floor"] == .null)
        for entry in LoadMoreOptions.entries {
            let value = try #require(attached["bottom"]?[entry.field.wireName], "\(entry.field)")
            #expect(value == Self.json(entry.value(in: profile.loadMore)), "\(entry.field)")
        }
    }

    @Test("Every option of the engine has a name on the wire")
    func complete() {
        let (refresh, loadMore) = (Profile.default.refresh, Profile.default.loadMore)
        let floor = FloorOptions(length: 1)
        // The two further properties are the options of the floor, and whether there is a floor.
        #expect(
            Mirror(reflecting: refresh).children.count == RefreshOptions.entries.count + 2)
        #expect(Mirror(reflecting: loadMore).children.count == LoadMoreOptions.entries.count)
        #expect(Mirror(reflecting: floor).children.count == FloorOptions.entries.count)
        #expect(Set(RefreshOptions.entries.map(\.field)).count == RefreshOptions.entries.count)
        #expect(Set(LoadMoreOptions.entries.map(\.field)).count == LoadMoreOptions.entries.count)
    }

    @Test(
        "An attach with the edges of an earlier `attached` results in the same edges",
        arguments: Profile.allCases)
    func roundTrip(_ profile: Profile) throws {
        let tester = SessionTester()
        tester.send(#"{"type":"hello","protocol":1}"#)
        let floor = profile == .default ? #","top":{"floor":{"length":200}}"# : ""
        let first = try #require(
            tester.send(
                #"{"type":"attach","seq":1,"view":"a","profile":"\#(profile.rawValue)"\#(floor)}"#
            ).first)
        let edges = try ["top", "bottom"].map { name in
            #""\#(name)":\#(try #require(first[name]).text)"#
        }
        let again = try #require(
            tester.send(
                #"{"type":"attach","seq":2,"view":"b","profile":"jackrabbit",\#(edges.joined(separator: ","))}"#
            ).first)
        #expect(again["top"] == first["top"] && again["bottom"] == first["bottom"])
    }

    @Test("Paging options that the feed fixes cannot be changed by configure")
    func feedPaging() throws {
        let tester = SessionTester()
        tester.open(feed: "songs")
        #expect(
            tester.send(
                #"{"type":"configure","view":"list","seq":2,"paging":{"style":"none","size":3}}"#
            ).isEmpty)
        tester.send(#"{"type":"refresh","view":"list","seq":3}"#)
        let (_, request) = try #require(tester.dispatcher.started.first)
        #expect(request.size == 10 && request.page == 1)
        #expect(
            tester.send(#"{"type":"configure","view":"list","seq":4,"paging":{"first":0}}"#)
                .contains { $0["list"]?["count"]?.number == 0 })
        tester.send(#"{"type":"cancel","view":"list","seq":5}"#)
        tester.send(#"{"type":"refresh","view":"list","seq":6}"#)
        #expect(tester.dispatcher.started.last?.1.page == 0)
    }

    @Test("A configure with an invalid option changes neither an edge nor the paging")
    func atomic() {
        let tester = SessionTester()
        tester.open()
        let answer = tester.send(
            """
            {"type":"configure","view":"list","seq":2,"top":{"length":30},"paging":{"size":7},
             "bottom":{"length":-1}}
            """)
        #expect(answer.map { $0["code"]?.string } == ["invalidOption"])
        #expect(answer.first?["field"]?.string == "length")
        let load = tester.send(#"{"type":"refresh","view":"list","seq":3}"#).last
        #expect(load?["size"]?.number == 50)
        tester.send(#"{"type":"cancel","view":"list","seq":4}"#)
        let pull = tester.send(
            #"{"type":"scroll","view":"list","seq":5,"offset":-30,"phase":"dragging"}"#)
        #expect(pull.first?["top"]?["progress"]?.number == 0.5)
    }

    @Test("An invalid option of an edge is refused, and the fault names it")
    func refused() {
        let cases = [
            (#""top":{"length":0}"#, "length"), (#""top":{"length":-60}"#, "length"),
            (#""top":{"start":60}"#, "start"), (#""top":{"start":-1}"#, "start"),
            (#""top":{"preload":60}"#, "preload"), (#""top":{"hysteresis":60}"#, "hysteresis"),
            (#""top":{"slop":-1}"#, "slop"), (#""top":{"zone":-1}"#, "zone"),
            (#""top":{"room":-0.5}"#, "room"), (#""top":{"insetDuration":-1}"#, "insetDuration"),
            (#""top":{"mode":"user"}"#, "mode"), (#""top":{"rearm":"content"}"#, "rearm"),
            (#""top":{"floor":{"length":60}}"#, "floor"), (#""top":{"floor":{}}"#, "floor"),
            (#""top":{"floor":{"length":90,"velocity":-1}}"#, "velocity"),
            (#""top":{"floor":{"length":90,"duration":-1}}"#, "duration"),
            (#""bottom":{"length":0}"#, "length"), (#""bottom":{"preload":-1}"#, "preload"),
            (#""bottom":{"closing":"atOnce"}"#, "closing"), (#""bottom":{"floor":null}"#, "floor"),
            (#""bottom":{"backOff":-1}"#, "backOff"), (#""bottom":{"deadline":0}"#, "deadline"),
        ]
        let tester = SessionTester()
        tester.open()
        for (index, (members, field)) in cases.enumerated() {
            let answer = tester.send(
                #"{"type":"configure","view":"list","seq":\#(index + 2),\#(members)}"#)
            #expect(answer.map { $0["code"]?.string } == ["invalidOption"], "\(members)")
            #expect(answer.first?["field"]?.string == field, "\(members)")
            #expect(answer.first?["seq"]?.number == Double(index + 2), "\(members)")
        }
    }

    private static func json(_ value: OptionValue) -> JSONValue? {
        var out = ByteBuffer()
        value.write(to: &out)
        return try? JSONValue(parsing: out.bytes)
    }
}
