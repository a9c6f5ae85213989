internal import RefreshProtocol

/// The server's messages to a client under test, as JSON.
enum ServerMessages {
    /// Returns a `welcome`; `more` has further members and starts with a comma if it is not empty.
    static func welcome(
        session: String = "5f0c", token: String? = "T1", ack: Int? = nil, resumed: Bool? = nil,
        reason: String? = nil, heartbeat: Int = 25_000, batchMessagesMax: Int = 64,
        frameBytesMax: Int = 65_536, more: String = ""
    ) -> String {
        var text = #"{"type":"welcome","protocol":1,"session":"\#(session)""#
        if let token { text += #","token":"\#(token)""# }
        if let resumed { text += #","resumed":\#(resumed)"# }
        if let reason { text += #","reason":"\#(reason)""# }
        if let ack { text += #","ack":\#(ack)"# }
        return text + #","server":"refresh-probe","time":\#(time()),"heartbeat":\#(heartbeat),"#
            + #""limits":{"batchMessagesMax":\#(batchMessagesMax),"frameBytesMax":\#(frameBytesMax),"#
            + #""gestureSilenceMs":5000,"resumeWindowMs":60000},"#
            + #""profiles":["default"],"feeds":["items"],"indicators":[]\#(more)}"#
    }

    /// Returns the `attached` of a new view. `top` and `more` have further members and start with a
    /// comma if they are not empty.
    static func attached(
        _ view: String = "list", generation: Int = 1, ack: Int = 0, top: String = "",
        isReversed: Bool = false, more: String = ""
    ) -> String {
        let refresh =
            #"{"role":"refresh","state":"idle","enabled":true,"trigger":"release","length":64,"start":0,"room":64,"#
            + #""preload":0,"hysteresis":8,"slop":10,"strict":false,"hold":true,"zone":null,"floating":false,"#
            + #""insetDuration":250,"offsetDuration":250,"intents":["finger","wheel","key","accessibility","code","retry"],"#
            + #""whileLoading":"cancel","onCancel":"disarm","closing":"animated","step":0,"seesCode":false,"#
            + #""pullsAgain":true,"firesAgain":false,"minVisible":300,"successHold":400,"failureHold":1500,"#
            + #""coolDown":0,"changes":"cue","staleAfter":0,"deadline":null,"floor":null\#(top)}"#
        let loadMore =
            #"{"role":"loadMore","state":"idle","enabled":true,"trigger":"reach","mode":"limit","length":64,"#
            + #""preload":200,"preloadItems":0,"leadTime":null,"hold":true,"insetDuration":250,"onCancel":"disarm","#
            + #""rearm":"content","anyDirection":false,"intents":["finger","fling","wheel","key","accessibility","code","retry"],"#
            + #""whileRefreshing":"reject","fill":5,"backOff":1000,"backOffMax":30000,"asksAgain":true,"#
            + #""deadline":null}"#
        let (first, last) = isReversed ? (loadMore, refresh) : (refresh, loadMore)
        return
            #"{"type":"attached","view":"\#(view)","ack":\#(ack),"generation":\#(generation),"profile":"default","#
            + #""axis":"vertical","reversed":\#(isReversed),"attention":"everything","haptics":true,"announcements":true,"#
            + #""top":\#(first),"bottom":\#(last),"paging":{"style":"page","first":1,"size":50},"#
            + #""pan":{"damping":"uiscrollview","maximumPull":null,"deceleration":"normal"}\#(more)}"#
    }

    /// Returns an `update`; `change` has its members: `"top":{"state":"idle"}`.
    static func update(_ change: String, ack: Int = 0, of view: String = "list") -> String {
        #"{"type":"update","view":"\#(view)","ack":\#(ack)\#(change.isEmpty ? "" : ",")\#(change)}"#
    }

    static func items(
        _ ids: [String], load: String, mode: String = "replace", view: String = "list"
    ) -> String {
        let items = ids.map { #"{"id":"\#($0)","name":"\#($0)"}"# }.joined(separator: ",")
        return
            #"{"type":"items","view":"\#(view)","load":"\#(load)","mode":"\#(mode)","count":\#(ids.count),"#
            + #""page":1,"offset":0,"more":true,"items":[\#(items)]}"#
    }

    static func loadingBegan(_ load: String, kind: String = "refresh", view: String = "list")
        -> String
    {
        #"{"type":"loading","view":"\#(view)","load":"\#(load)","kind":"\#(kind)","phase":"began","trigger":"manual","#
            + #""cause":"code","page":1,"offset":0,"size":50,"attempt":1}"#
    }

    /// Returns a `loading` message; `more` has further members and starts with a comma if it is not
    /// empty.
    static func loading(
        _ load: String, _ phase: String, kind: String = "refresh", more: String = "",
        view: String = "list"
    ) -> String {
        #"{"type":"loading","view":"\#(view)","load":"\#(load)","kind":"\#(kind)","phase":"\#(phase)"\#(more)}"#
    }

    /// Returns a `load`, which asks the client to load.
    static func load(_ load: String, view: String = "list") -> String {
        #"{"type":"load","view":"\#(view)","load":"\#(load)","kind":"refresh","trigger":"manual","cause":"code","#
            + #""page":1,"offset":0,"size":10,"attempt":1,"deadlineMs":30000}"#
    }

    static func snapshot(_ sealed: String?, ack: Int) -> String {
        guard let sealed else {
            return #"{"type":"snapshot","ack":\#(ack),"sealed":null,"reason":"tooLarge"}"#
        }
        return #"{"type":"snapshot","ack":\#(ack),"expires":3600000,"sealed":"\#(sealed)"}"#
    }

    /// Returns an `error`; `more` has further members and starts with a comma if it is not empty.
    static func error(
        _ code: String, _ message: String, isTemporary: Bool = false, more: String = ""
    ) -> String {
        #"{"type":"error","code":"\#(code)","message":"\#(message)","temporary":\#(isTemporary)\#(more)}"#
    }

    /// Returns the server's clock `ms` from now.
    static func time(in ms: Double = 0) -> String {
        JSONValue.number(((GradingServer.nowMs + ms) * 1000).rounded() / 1000).text
    }
}
