import RefreshProtocol
import Testing

@testable import RefreshClient

/// The sections of a list. Source: docs/protocol.md, "Sections".
struct SectionTests {
    private static func json(_ text: String) -> JSONValue {
        (try? JSONValue(parsing: text)) ?? .null
    }

    /// A view with these items. Each section is a text, such as `"a" 0+2`.
    private static func view(_ items: String, key: String? = "/s") -> ViewState {
        var state = ViewState()
        state.items = json(items).array ?? []
        state.sectionKey = key.flatMap { JSONPointer($0) }
        return state
    }

    private static func texts(_ view: ViewState) -> [String] {
        view.sections.map { "\($0.value.text) \($0.start)+\($0.count)" }
    }

    @Test(
        "A section is a run of neighbouring items with equal values",
        arguments: [
            ("[]", []), (#"[{"s":"a"}]"#, [#""a" 0+1"#]),
            (
                #"[{"s":"a"},{"s":"a"},{"s":"b"},{"s":"a"}]"#,
                [#""a" 0+2"#, #""b" 2+1"#, #""a" 3+1"#]
            ),
            (#"[{"s":1},{"s":1.0},{"s":"1"},{"s":true}]"#, ["1 0+2", #""1" 2+1"#, "true 3+1"]),
            // Items without a value that can name a section.
            (#"[{},{"s":null},{"s":{}},{"s":[1]},7,{"s":"null"}]"#, ["null 0+5", #""null" 5+1"#]),
            (#"[{"s":"\u00e9"},{"s":"e\u0301"}]"#, [#""é" 0+1"#, "\"e\u{301}\" 1+1"]),
        ])
    func runs(_ items: String, _ sections: [String]) {
        let texts = Self.texts(Self.view(items))
        #expect(texts.map { Array($0.utf8) } == sections.map { Array($0.utf8) })
    }

    @Test("The value is at the place that `attached` names, and without it there are no sections")
    func pointer() {
        let items = #"[{"a":[{"b/c":1}]},{"a":[]}]"#
        #expect(Self.texts(Self.view(items, key: "/a/0/b~1c")) == ["1 0+1", "null 1+1"])
        #expect(Self.texts(Self.view(items, key: nil)).isEmpty)
    }

    @Test("Placeholders belong to no section, and positions are rows")
    func rows() {
        var view = Self.view("[]")
        view.rows = ItemRows(count: 100)
        view.rows?.fill([Self.json(#"{"s":"a"}"#), Self.json(#"{"s":"a"}"#)], from: 10)
        view.rows?.fill([Self.json(#"{"s":"a"}"#)], from: 13)
        #expect(Self.texts(view) == [#""a" 10+2"#, #""a" 13+1"#])
    }

    @Test("The sections follow from the shown list after pages, live items and edits")
    func follow() throws {
        var machine = ClientMachine(
            ClientConfiguration(
                client: "test", views: [ClientMachineTests.list], features: EditTests.features))
        var random = SystemRandomNumberGenerator()
        func texts() -> [String] { Self.texts(machine.state.views["list"] ?? ViewState()) }
        _ = machine.connect()
        _ = machine.opened(at: 0)
        _ = machine.received(
            #"[{"type":"welcome","protocol":1,"session":"a","token":"b","#
                + #""features":["patch","live","edits"]},"#
                + #"{"type":"attached","view":"list","itemKey":"/id","sectionKey":"/s","#
                + #""edits":["insert"]},"#
                + #"{"type":"items","view":"list","load":"1.1","mode":"replace","count":2,"#
                + #""items":[{"id":1,"s":"a"},{"id":2,"s":"a"}]}]"#, at: 1)
        #expect(texts() == [#""a" 0+2"#])
        _ = machine.received(
            #"{"type":"items","view":"list","load":"1.2","mode":"append","count":1,"#
                + #""items":[{"id":3,"s":"b"}]}"#, at: 2)
        #expect(texts() == [#""a" 0+2"#, #""b" 2+1"#])
        _ = machine.received(
            #"{"type":"items","view":"list","load":"1.3","mode":"patch","count":4,"#
                + #""operations":[{"insert":{"id":4,"s":"b"},"after":1}]}"#, at: 3)
        #expect(texts() == [#""a" 0+1"#, #""b" 1+1"#, #""a" 2+1"#, #""b" 3+1"#])
        _ = try machine.edit(
            "list", .insert(Self.json(#"{"id":5,"s":"b"}"#), .end), delayMs: 0, id: nil, at: 4,
            random: &random)
        #expect(texts().last == #""b" 3+2"#)
        // The headers stay while there is no connection, and in the next process.
        let state = machine.savedState
        machine = ClientMachine(
            ClientConfiguration(
                client: "test", views: [ClientMachineTests.list], features: EditTests.features),
            savedState: state)
        #expect(texts().count == 4)
    }
}
