import RefreshProtocol

/// Messages that describe a view, and their meaning, by hand from docs/protocol.md.
enum ViewFixtures {
    static let all = attaches + geometries

    private static let header = MessageHeader(view: "list", seq: 7)

    private static let attaches = [
        Fixture(
            "attach, least", #"{"type":"attach","seq":7,"view":"list","profile":"uikit"}"#,
            .attach(header, Attach(view: "list", profile: "uikit"))),
        Fixture(
            "attach of the page",
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
                    $0.top = .overrides(Fixture.with(EdgeOverrides()) { $0.length = 80 })
                    $0.bottom = .overrides(Fixture.with(EdgeOverrides()) { $0.mode = .user })
                    $0.paging = Fixture.with(PagingOverrides()) { $0.size = 50 }
                })),
        Fixture(
            "attach, every option",
            #"""
            {"type":"attach","seq":7,"view":"list","profile":"p\u0071","parameters":{"b":"","\u0061":"é"},
             "top":{"enabled":false,"trigger":"reach","length":1,"preload":2,"hold":false,
              "insetDuration":250},
             "bottom":{"enabled":true,"trigger":"release","mode":"limit","length":3,"preload":4,
              "hold":true,"insetDuration":0,"fill":9},
             "paging":{"style":"cursor","first":0,"size":1000}}
            """#,
            .attach(
                header,
                Fixture.with(Attach(view: "list", profile: "pq")) {
                    $0.parameters = [
                        Parameter(name: "b", value: ""), Parameter(name: "a", value: "é"),
                    ]
                    $0.top = .overrides(
                        Fixture.with(EdgeOverrides()) {
                            $0.enabled = false
                            $0.trigger = .reach
                            $0.length = 1
                            $0.preload = 2
                            $0.hold = false
                            $0.insetDuration = 250
                        })
                    $0.bottom = .overrides(
                        Fixture.with(EdgeOverrides()) {
                            $0.enabled = true
                            $0.trigger = .release
                            $0.mode = .limit
                            $0.length = 3
                            $0.preload = 4
                            $0.hold = true
                            $0.insetDuration = 0
                            $0.fill = 9
                        })
                    $0.paging = Fixture.with(PagingOverrides()) {
                        $0.style = .cursor
                        $0.first = 0
                        $0.size = 1000
                    }
                })),
        Fixture(
            "attach, edges left out",
            #"""
            {"type":"attach","seq":7,"view":"list","profile":"uikit","top":null,"bottom":null,
             "feed":null,"parameters":null,"geometry":null,"offset":null,"paging":null}
            """#,
            .attach(
                header,
                Fixture.with(Attach(view: "list", profile: "uikit")) {
                    $0.top = .absent
                    $0.bottom = .absent
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
                    $0.top = .overrides(EdgeOverrides())
                    $0.bottom = .overrides(EdgeOverrides())
                    $0.paging = PagingOverrides()
                })),
    ]

    private static let geometries = [
        geometry("nothing", "") { _ in },
        geometry(
            "sizes", #","viewport":{"width":390,"height":800.5},"content":{"height":12}"#
        ) {
            $0.viewport = Size(width: 390, height: 800.5)
            $0.content = Size(width: 0, height: 12)
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
            $0.bars = Bars(navigationBottom: 64, status: 20, activeSearch: 52)
            $0.scale = 2
        },
        geometry(
            "sleeping search bar", #","bars":{"status":null,"search":{"height":52,"active":false}}"#
        ) { $0.bars = Bars.none },
        geometry(
            "search bar that does not say", #","bars":{"navigation":null,"search":{"height":52}}"#
        ) { $0.bars = Bars.none },
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
