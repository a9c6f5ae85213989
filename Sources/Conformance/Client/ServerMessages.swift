internal import RefreshProtocol
internal import ScenarioKit

/// The messages of the grading server. A step specifies the members that its case needs. The
/// functions of this type add the other members.
enum ServerMessages {
    /// Returns the default members of a message. The step's members replace them. `hasFeatures`
    /// states whether the client's last `hello` has `features`.
    static func defaults(of message: Pattern, hasFeatures: Bool) -> JSONValue {
        switch word(message["type"]) {
        case "welcome": return hasFeatures ? welcomeWithFeatures : welcome
        case "attached":
            let isReversed = message["reversed"] == .value(.bool(true))
            return isReversed ? attached(top: moreEdge, bottom: refreshEdge) : listAttached
        case "update": return parsed(#"{"type":"update","view":"list","ack":0}"#)
        case "items":
            return parsed(
                """
                {"type":"items","view":"list","load":"1.1","mode":"replace","count":0,
                "page":1,"offset":0,"more":true,"items":[]}
                """)
        case "loading":
            return word(message["phase"]) == "began" ? loadingBegan : loading
        case "load":
            return parsed(
                """
                {"type":"load","view":"list","load":"1.1","kind":"refresh","trigger":"manual",
                "cause":"code","page":1,"offset":0,"size":10,"attempt":1,"deadlineMs":30000}
                """)
        case "error": return parsed(#"{"type":"error","temporary":false}"#)
        default: return .object([])
        }
    }

    /// Completes an `items` message, because a step may give only the ids of items. Each such id
    /// becomes an item whose `id` and `name` have this value. The number of items is set.
    static func completed(items message: JSONValue) -> JSONValue {
        guard message["type"]?.string == "items", let items = message["items"]?.array else {
            return message
        }
        var message = message
        message["items"] = .array(
            items.map { item in
                guard item.string != nil else { return item }
                return .object([JSONValue.Member("id", item), JSONValue.Member("name", item)])
            })
        message["count"] = .number(Double(items.count))
        return message
    }

    /// Returns the default view that the command `connect` gives to the tested client.
    static func body(isFeed: Bool) -> JSONValue {
        var body = parsed(
            """
            {"view":"list","profile":"default","feed":"items",
            "geometry":{"viewport":{"width":390,"height":800},
            "content":{"width":390,"height":2000}},"offset":0}
            """)
        if !isFeed { body["feed"] = nil }
        return body
    }

    /// The time of the server's clock in milliseconds, rounded to microseconds.
    static var time: JSONValue { .number(rounded(GradingServer.nowMs)) }

    static func rounded(_ ms: Double) -> Double { (ms * 1000).rounded() / 1000 }

    private static var welcome: JSONValue {
        var message = parsed(
            """
            {"type":"welcome","protocol":1,"session":"5f0c","token":"T1",
            "server":"refresh-probe","time":0,"heartbeat":25000,
            "limits":{"batchMessagesMax":64,"frameBytesMax":65536,"gestureSilenceMs":5000,
            "resumeWindowMs":60000},"profiles":["default"],"feeds":["items"],"indicators":[]}
            """)
        message["time"] = time
        return message
    }

    /// The `welcome` for a client with features.
    private static var welcomeWithFeatures: JSONValue {
        var message = welcome
        message["features"] = .array([.string("query")])
        message["limits"]?["pagesKeptMax"] = .number(20)
        return message
    }

    private static let loading = parsed(
        #"{"type":"loading","view":"list","load":"1.1","kind":"refresh"}"#)
    private static let loadingBegan = parsed(
        """
        {"type":"loading","view":"list","load":"1.1","kind":"refresh","phase":"began",
        "trigger":"manual","cause":"code","page":1,"offset":0,"size":50,"attempt":1}
        """)

    private static let listAttached = attached(top: refreshEdge, bottom: moreEdge)

    private static func attached(top: String, bottom: String) -> JSONValue {
        parsed(
            """
            {"type":"attached","view":"list","ack":0,"generation":1,"profile":"default",
            "axis":"vertical","reversed":false,"attention":"everything","haptics":true,
            "announcements":true,"top":\(top),"bottom":\(bottom),
            "paging":{"style":"page","first":1,"size":50},
            "pan":{"damping":"uiscrollview","maximumPull":null,"deceleration":"normal"}}
            """)
    }

    private static let refreshEdge = """
        {"role":"refresh","state":"idle","enabled":true,"trigger":"release","length":64,
        "start":0,"room":64,"preload":0,"hysteresis":8,"slop":10,"strict":false,"hold":true,
        "zone":null,"floating":false,"insetDuration":250,"offsetDuration":250,
        "intents":["finger","wheel","key","accessibility","code","retry"],
        "whileLoading":"cancel","onCancel":"disarm","closing":"animated","step":0,
        "seesCode":false,"pullsAgain":true,"firesAgain":false,"minVisible":300,
        "successHold":400,"failureHold":1500,"coolDown":0,"changes":"cue","staleAfter":0,
        "deadline":null,"floor":null}
        """
    private static let moreEdge = """
        {"role":"loadMore","state":"idle","enabled":true,"trigger":"reach","mode":"limit",
        "length":64,"preload":200,"preloadItems":0,"leadTime":null,"hold":true,
        "insetDuration":250,"onCancel":"disarm","rearm":"content","anyDirection":false,
        "intents":["finger","fling","wheel","key","accessibility","code","retry"],
        "whileRefreshing":"reject","fill":5,"backOff":1000,"backOffMax":30000,
        "asksAgain":true,"deadline":null}
        """

    private static func word(_ pattern: Pattern?) -> String? {
        if case .value(.string(let word))? = pattern { word } else { nil }
    }

    private static func parsed(_ text: String) -> JSONValue {
        (try? JSONValue(parsing: text)) ?? .object([])
    }
}
