import RefreshProtocol

/// Messages with their meaning, which is written by hand from docs/protocol.md.
enum MessageFixtures {
    static let all = session + gestures + requests + loads + edges + ViewFixtures.all

    private static let header = MessageHeader(view: "list", seq: 7)

    private static var reducedFrames: FrameSettings {
        var frames = FrameSettings(mode: .local)
        frames.rate = 24
        frames.language = "de-AT"
        frames.motion = .reduced
        return frames
    }

    private static let session = [
        Fixture(
            "hello, only required fields", #"{"type":"hello","protocol":1}"#,
            .hello(Hello(version: 1))),
        Fixture(
            "hello, with client",
            #"{"type":"hello","protocol":2,"client":"web/1.0","frames":"stream"}"#,
            .hello(Hello(version: 2, client: "web/1.0", frames: FrameSettings(mode: .stream)))),
        Fixture(
            "hello, headers",
            #"{"type":"hello","protocol":1,"headers":{"Accept-Language":"de, en;q=0.5","x_1":" "}}"#,
            .hello(
                Hello(
                    version: 1,
                    headers: [
                        HeaderField(name: "accept-language", value: "de, en;q=0.5"),
                        HeaderField(name: "x_1", value: " "),
                    ]))),
        Fixture(
            "hello, frames as an object",
            #"{"type":"hello","protocol":1,"frames":{"mode":"local","rate":24,"language":"de-AT","motion":"reduced"}}"#,
            .hello(Hello(version: 1, frames: reducedFrames))),
        Fixture(
            "hello, frames as an empty object",
            #"{"type":"hello","protocol":1,"frames":{"mode":null,"rate":null,"later":[1]}}"#,
            .hello(Hello(version: 1))),
        Fixture(
            "hello, nulls",
            #"{"protocol":1,"client":null,"frames":null,"views":null,"type":"hello"}"#,
            .hello(Hello(version: 1))),
        Fixture(
            "hello, views",
            #"""
            {"type":"hello","protocol":1,"views":[ {"view":"a","profile":"uikit"} ,
             {"type":"attach","seq":9,"view":"b","profile":"iqpulltorefresh","feed":"packages"}]}
            """#,
            .hello(
                Hello(
                    version: 1,
                    views: [
                        Attach(view: "a", profile: "uikit"),
                        Fixture.with(Attach(view: "b", profile: "iqpulltorefresh")) {
                            $0.feed = "packages"
                        },
                    ]))),
        Fixture("ping", #"{"type":"ping","t":1516.7}"#, .ping(time: 1516.7)),
        Fixture("ping, unbounded", #"{"type":"ping","t":-1e300}"#, .ping(time: -1e300)),
        Fixture("snapshot", #"{"type":"snapshot"}"#, .snapshot),
        Fixture("bye", #"{"type":"bye"}"#, .bye),
        Fixture("bye, escaped", #"{"\u0074ype":"b\u0079e"}"#, .bye),
        Fixture("bye, spaced", " {\n\t\"type\" :\r \"bye\" } \n", .bye),
        Fixture("detach", #"{"type":"detach","seq":7,"view":"list"}"#, .detach(header)),
        Fixture(
            "detach, generation",
            #"{"type":"detach","seq":7,"view":"list","generation":4294967295}"#,
            .detach(MessageHeader(view: "list", seq: 7, generation: .max))),
        Fixture(
            "detach, largest seq", #"{"type":"detach","seq":9007199254740991,"view":"list"}"#,
            .detach(MessageHeader(view: "list", seq: 9_007_199_254_740_991))),
        Fixture(
            "detach, whole numbers in other notations",
            #"{"type":"detach","seq":7.0e0,"view":"list","generation":0.3e1}"#,
            .detach(MessageHeader(view: "list", seq: 7, generation: 3))),
        Fixture(
            "detach, escaped view", #"{"type":"detach","seq":7,"view":"\u65e5\ud83d\ude00\"\\\/"}"#,
            .detach(MessageHeader(view: "日😀\"\\/", seq: 7))),
    ]

    private static let gestures = [
        Fixture(
            "scroll, the example of docs/protocol.md",
            #"{"type":"scroll","view":"list","seq":7,"t":1516.7,"offset":-62.5,"phase":"dragging"}"#,
            .scroll(header, ScrollSample(offset: -62.5, phase: .dragging))),
        Fixture(
            "scroll, all fields",
            #"""
            {"type":"scroll","view":"list","seq":7,"t":-1,"offset":1e7,"phase":"decelerating",
             "velocity":-1000000,"cause":"wheel","generation":2}
            """#,
            .scroll(
                MessageHeader(view: "list", seq: 7, generation: 2),
                ScrollSample(
                    offset: 10_000_000, phase: .decelerating, velocity: -1_000_000, cause: .wheel))),
        Fixture(
            "pan, all fields",
            #"""
            {"type":"pan","view":"list","seq":7,"t":0,"translation":42.25,"phase":"ended",
             "velocity":0.5,"cause":"key"}
            """#,
            .pan(header, PanSample(translation: 42.25, phase: .ended, velocity: 0.5, cause: .key))),
        Fixture(
            "pan, only required fields",
            #"{"type":"pan","view":"list","seq":7,"translation":0,"phase":"began"}"#,
            .pan(header, PanSample(translation: 0, phase: .began))),
        Fixture(
            "pan, of a list that is shown elsewhere",
            #"{"type":"pan","view":"list","seq":7,"translation":0,"phase":"began","offset":-12.5}"#,
            .pan(header, PanSample(translation: 0, phase: .began, offset: -12.5))),
    ]

    private static let requests = [
        Fixture(
            "refresh, defaults", #"{"type":"refresh","view":"list","seq":7}"#,
            .refresh(header, cause: .code, animated: true)),
        Fixture(
            "refresh",
            #"{"type":"refresh","view":"list","seq":7,"cause":"accessibility","animated":false}"#,
            .refresh(header, cause: .accessibility, animated: false)),
        Fixture(
            "begin, defaults", #"{"type":"begin","view":"list","seq":7}"#,
            .begin(header, animated: false)),
        Fixture(
            "begin", #"{"type":"begin","view":"list","seq":7,"animated":true}"#,
            .begin(header, animated: true)),
        Fixture(
            "end, defaults", #"{"type":"end","view":"list","seq":7}"#, .end(header, animated: true)),
        Fixture(
            "end", #"{"type":"end","view":"list","seq":7,"animated":false}"#,
            .end(header, animated: false)),
        Fixture(
            "loadMore, defaults", #"{"type":"loadMore","view":"list","seq":7}"#,
            .loadMore(header, cause: .code)),
        Fixture(
            "loadMore", #"{"type":"loadMore","view":"list","seq":7,"cause":"finger"}"#,
            .loadMore(header, cause: .finger)),
        Fixture(
            "retry, defaults", #"{"type":"retry","view":"list","seq":7}"#, .retry(header, edge: nil)
        ),
        Fixture(
            "retry", #"{"type":"retry","view":"list","seq":7,"edge":"bottom"}"#,
            .retry(header, edge: .bottom)),
        Fixture(
            "cancel, defaults", #"{"type":"cancel","view":"list","seq":7,"edge":null}"#,
            .cancel(header, edge: nil)),
        Fixture(
            "cancel", #"{"type":"cancel","view":"list","seq":7,"edge":"top"}"#,
            .cancel(header, edge: .top)),
        Fixture(
            "reset, defaults", #"{"type":"reset","view":"list","seq":7}"#,
            .reset(header, edge: nil)),
        Fixture(
            "reset", #"{"type":"reset","view":"list","seq":7,"edge":"trailing"}"#,
            .reset(header, edge: .trailing)),
        Fixture(
            "floor, open", #"{"type":"floor","view":"list","seq":7,"open":true}"#,
            .floor(header, isOpen: true)),
        Fixture(
            "floor, closed", #"{"type":"floor","view":"list","seq":7,"open":false}"#,
            .floor(header, isOpen: false)),
        Fixture("appear", #"{"type":"appear","view":"list","seq":7}"#, .appear(header)),
        Fixture(
            "disappear", #"{"type":"disappear","view":"list","seq":7}"#, .disappear(header)),
        Fixture(
            "reveal, defaults", #"{"type":"reveal","view":"list","seq":7}"#,
            .reveal(header, .newestEnd, animated: true)),
        Fixture(
            "reveal, an end",
            #"{"type":"reveal","view":"list","seq":7,"edge":"bottom","animated":false}"#,
            .reveal(header, .edge(.bottom), animated: false)),
        Fixture(
            "reveal, an item",
            #"{"type":"reveal","view":"list","seq":7,"id":"m42","position":312.5}"#,
            .reveal(
                header, .item(name: Anchor("m42", at: 0).name, position: 312.5), animated: true)),
        Fixture(
            "read", #"{"type":"read","view":"list","seq":7,"id":"m42"}"#,
            .read(header, id: "m42")),
        Fixture(
            "edit",
            #"{"type":"edit","view":"list","seq":7,"edit":"6f0c8a52","operation":{ "remove":"m2"}}"#,
            .edit(
                header, ItemEdit(name: "6f0c8a52", operation: Array(#"{ "remove":"m2"}"#.utf8)))),
        Fixture(
            "edit with a delay",
            #"{"type":"edit","view":"list","seq":7,"edit":"6f0c8a52_-Z","delayMs":5000,"#
                + #""operation":{"insert":{"id":1},"after":9}}"#,
            .edit(
                header,
                ItemEdit(
                    name: "6f0c8a52_-Z", operation: Array(#"{"insert":{"id":1},"after":9}"#.utf8),
                    delayMs: 5000))),
        Fixture(
            "edit that was sent before",
            #"{"type":"edit","view":"list","seq":7,"repeated":true,"edit":"6f0c8a52","#
                + #""operation":{"remove":"m2"}}"#,
            .edit(
                header,
                ItemEdit(
                    name: "6f0c8a52", operation: Array(#"{"remove":"m2"}"#.utf8), isRepeated: true))
        ),
        Fixture(
            "undo", #"{"type":"undo","view":"list","seq":7,"edit":"6f0c8a52"}"#,
            .undo(header, edit: "6f0c8a52")),
    ]

    private static let load = LoadID(generation: 1, number: 3)

    private static let loads = [
        Fixture(
            "loadBegan, defaults", #"{"type":"loadBegan","view":"list","seq":7,"load":"1.3"}"#,
            .loadBegan(header, load: load, accepted: true)),
        Fixture(
            "loadBegan, refused",
            #"{"type":"loadBegan","view":"list","seq":7,"load":"1\u002e3","accepted":false}"#,
            .loadBegan(header, load: load, accepted: false)),
        Fixture(
            "loadProgress",
            #"{"type":"loadProgress","view":"list","seq":7,"load":"1.3","progress":0.25}"#,
            .loadProgress(header, load: load, progress: 0.25)),
        Fixture(
            "loadFinished, only required fields",
            #"{"type":"loadFinished","view":"list","seq":7,"load":"1.3","result":"noMore"}"#,
            .loadFinished(header, LoadReport(load: load, result: .noMore))),
        Fixture(
            "loadFinished, all fields",
            #"""
            {"type":"loadFinished","view":"list","seq":7,"load":"1.3","result":"success","count":50,
             "more":false,"cursor":"a\nb","code":"E1","message":"why"}
            """#,
            .loadFinished(
                header,
                LoadReport(load: load, result: .success, count: 50, more: false, cursor: "a\nb"))),
    ]

    private static let edges = [
        Fixture(
            "enable", #"{"type":"enable","view":"list","seq":7,"edge":"top","enabled":false}"#,
            .enable(header, edge: .top, enabled: false)),
        Fixture(
            "configure, nothing", #"{"type":"configure","view":"list","seq":7}"#,
            .configure(header, EdgeSettings(), nil)),
        Fixture(
            "configure",
            #"{"type":"configure","view":"list","seq":7,"top":{"length":80},"bottom":null}"#,
            .configure(
                header,
                Fixture.with(EdgeSettings()) {
                    $0.top = .overrides([OptionSetting(.length, .number(80))])
                    $0.bottom = .absent
                }, nil)),
        Fixture(
            "configure, of a horizontal view, with paging",
            #"""
            {"type":"configure","view":"list","seq":7,"leading":null,"trailing":{"rearm":"gesture"},
             "paging":{"style":"cursor"}}
            """#,
            .configure(
                header,
                Fixture.with(EdgeSettings()) {
                    $0.leading = .absent
                    $0.trailing = .overrides([OptionSetting(.rearm, .keyword("gesture"))])
                }, Fixture.with(PagingOverrides()) { $0.style = .cursor })),
        Fixture(
            "configure, the style of pans",
            #"""
            {"type":"configure","view":"list","seq":7,
             "pan":{"deceleration":"fast","damping":"compose","maximumPull":null}}
            """#,
            .configure(
                header, EdgeSettings(), nil,
                pan: [
                    OptionSetting(.damping, .keyword("compose")),
                    OptionSetting(.maximumPull, .none),
                    OptionSetting(.deceleration, .keyword("fast")),
                ])),
    ]
}
