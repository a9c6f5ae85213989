import RefreshProtocol

/// Messages that describe a view, with their meaning, which is written by hand from
/// docs/protocol.md.
enum ViewFixtures {
    static let all = attaches + geometries

    private static let header = MessageHeader(view: "list", seq: 7)

    private static let attaches = [
        Fixture(
            "attach, only required fields",
            #"{"type":"attach","seq":7,"view":"list","profile":"uikit"}"#,
            .attach(header, Attach(view: "list", profile: "uikit"))),
        Fixture(
            "attach, the example of docs/protocol.md",
            #"""
            {"type":"attach","seq":7,"view":"list","profile":"iqpulltorefresh","feed":"packages",
             "parameters":{"section":"libs"},"geometry":{"scale":3},"offset":-88,
             "top":{"length":80},"bottom":{"mode":"user"},"paging":{"size":50}}
            """#,
            .attach(
                header,
                Fixture.with(Attach(view: "list", profile: "iqpulltorefresh")) {
                    $0.feed = "packages"
                    $0.parameters = [Parameter(name: "section", value: "libs")]
                    $0.geometry.scale = 3
                    $0.offset = -88
                    $0.edges.top = .overrides([OptionSetting(.length, .number(80))])
                    $0.edges.bottom = .overrides([OptionSetting(.mode, .keyword("user"))])
                    $0.paging = Fixture.with(PagingOverrides()) { $0.size = 50 }
                })),
        Fixture(
            "attach, of a chat",
            #"""
            {"type":"attach","seq":7,"view":"list","profile":"p\u0071","parameters":{"b":"","\u0061":"é"},
             "axis":"horizontal","reversed":true,"attention":"movement","haptics":false,
             "announcements":true,
             "geometry":{"direction":"rtl","offset":3,"anchor":{"id":"m42","position":-312.5}},
             "leading":{"fill":9,"preload":4},"trailing":{},
             "paging":{"style":"cursor","first":0,"size":1000}}
            """#,
            .attach(
                header,
                Fixture.with(Attach(view: "list", profile: "pq")) {
                    $0.parameters = [
                        Parameter(name: "b", value: ""), Parameter(name: "a", value: "é"),
                    ]
                    $0.layout = ViewLayout(axis: .horizontal, isReversed: true)
                    $0.attention = .movement
                    $0.haptics = false
                    $0.announcements = true
                    $0.geometry.direction = .rightToLeft
                    $0.geometry.offset = 3
                    $0.geometry.anchor = Anchor("m42", at: -312.5)
                    $0.edges.leading = .overrides([
                        OptionSetting(.preload, .number(4)), OptionSetting(.fill, .number(9)),
                    ])
                    $0.edges.trailing = .overrides([])
                    $0.paging = Fixture.with(PagingOverrides()) {
                        $0.style = .cursor
                        $0.first = 0
                        $0.size = 1000
                    }
                })),
        Fixture(
            "attach, excluded edges",
            #"""
            {"type":"attach","seq":7,"view":"list","profile":"uikit","top":null,"bottom":null,
             "feed":null,"parameters":null,"geometry":null,"offset":null,"paging":null}
            """#,
            .attach(
                header,
                Fixture.with(Attach(view: "list", profile: "uikit")) {
                    $0.edges.top = .absent
                    $0.edges.bottom = .absent
                })),
        Fixture(
            "attach, empty objects",
            #"""
            {"type":"attach","seq":7,"view":"list","profile":"uikit","top":{},"bottom":{ },
             "parameters":{},"geometry":{},"paging":{}}
            """#,
            .attach(
                header,
                Fixture.with(Attach(view: "list", profile: "uikit")) {
                    $0.edges.top = .overrides([])
                    $0.edges.bottom = .overrides([])
                    $0.paging = PagingOverrides()
                })),
    ]

    private static let geometries = [
        geometry("nothing", "") { _ in },
        geometry(
            "sizes", #","viewport":{"width":390,"height":800.5},"content":{"height":12}"#
        ) {
            $0.viewport = SizeChange(width: 390, height: 800.5)
            $0.content = SizeChange(height: 12)
        },
        geometry(
            "insets",
            #"""
            ,"insets":{"top":1,"left":2,"bottom":3,"right":4},"safeArea":{"bottom":-34.5}
            """#
        ) {
            $0.insets = EdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
            $0.safeArea = EdgeInsets(bottom: -34.5)
        },
        geometry(
            "bars",
            #"""
            ,"bars":{"status":20,"navigation":{"y":20,"height":44},
             "search":{"height":52,"active":true}},"scale":2
            """#
        ) {
            var bars = Bars()
            bars.status = 20
            bars.navigationY = 20
            bars.navigationHeight = 44
            bars.searchHeight = 52
            bars.isSearchActive = true
            $0.bars = bars
            $0.scale = 2
        },
        geometry(
            "search bar that is not active",
            #","bars":{"status":null,"search":{"height":52,"active":false}}"#
        ) {
            var bars = Bars()
            bars.status = 0
            bars.searchHeight = 52
            bars.isSearchActive = false
            $0.bars = bars
        },
        geometry(
            "search bar without `active`", #","bars":{"navigation":null,"search":{"height":52}}"#
        ) {
            var bars = Bars()
            bars.navigationY = 0
            bars.navigationHeight = 0
            bars.searchHeight = 52
            $0.bars = bars
        },
        geometry(
            "members that are null",
            #"""
            ,"insets":{"top":null},"content":{"height":null},
             "bars":{"navigation":{"y":null},"search":null}
            """#
        ) {
            $0.insets = EdgeInsets(top: 0)
            $0.content = SizeChange(height: 0)
            var bars = Bars()
            bars.navigationY = 0
            bars.searchHeight = 0
            bars.isSearchActive = false
            $0.bars = bars
        },
        geometry("direction", #","direction":"rtl""#) { $0.direction = .rightToLeft },
        geometry("direction and offset", #","offset":-1e7,"direction":"ltr""#) {
            $0.direction = .leftToRight
            $0.offset = -10_000_000
        },
        geometry("anchor", #","anchor":{"position":0,"id":"日\u0000"}"#) {
            $0.anchor = Anchor("日\u{0}", at: 0)
        },
        geometry("no bars", #","bars":null"#) { $0.bars = Bars.none },
    ]

    private static func geometry(
        _ name: String, _ members: String, _ set: (inout GeometryChange) -> Void
    ) -> Fixture {
        Fixture(
            "geometry, \(name)", #"{"type":"geometry","seq":7,"view":"list"\#(members)}"#,
            .geometry(header, Fixture.with(GeometryChange(), set)))
    }
}
