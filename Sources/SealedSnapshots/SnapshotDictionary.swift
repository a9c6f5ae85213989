/// The compression dictionary: the common parts of the texts of snapshots. It begins with pieces of
/// rare states. The complete text of a view with the options of the default profile comes last,
/// because it is used most.
///
/// Sealed texts of the versions `v1` and `v2` need this dictionary. With another dictionary, the
/// daemon could not read the snapshots that clients already have. See
/// docs/decisions/0010-deflate.md.
enum SnapshotDictionary {
    static let bytes = Array(text.utf8)

    private static let text = """
        "dragging":{}"coasting":{}"resting":{}{"pulling":{"progress":{"eligible":{}{"waiting":{}{"\
        triggered":{"_0":{"generation":{"refreshing":{"_0":{"generation":1,"number":{"lingering":{\
        "_0":"success"}}{"held":{"_0":"success"}}{"finishing":{}}{"approaching":{"progress":{"fail\
        ed":{}}{"noMore":{}}{"disabled":{}}"opening":{}"open":{}"closing":{}"motion":{"flying":{"_\
        0":{"limit":"lower":"origin":"rate":"normal","start":{"microseconds":"upper":"velocity":"m\
        otion":{"gliding":{"_0":{"origin":"target":"timeline":{"curve":"easeInOut","duration":250,\
        "start":{"microseconds":"motion":{"held":{"_0":{"depth":0,"excess":0,"origin":"travel":"ne\
        xtCursor":"integer":{"_0":"number":{"_0":"boolean":{"_0":true"headers":[{"name":"accept-la\
        nguage","value":"authorization","value":"Bearer "horizontal""rtl""cursor""none""offset""ti\
        medOut""heldAt":true,false{"ack":6,"frames":{"language":"en","mode":"stream","motion":"ful\
        l","rate":30},"headers":[],"itemHashID":575636577,"lastGeneration":1,"name":"5f0c","sealed\
        At":{"instant":{"microseconds":83000400},"wallMilliseconds":1795262400123},"subject":"anna\
        ","tokenHash":[],"views":[{"engine":{"anchor":{"name":0,"position":0},"backOffEnd":{"micro\
        seconds":0},"changes":{"isAwaited":false,"isNewerThanLoad":false,"isPending":false,"isTold\
        ":false,"silentLoad":0},"deadlines":{"aftermath":{"microseconds":9223372036854775807},"flo\
        or":{"microseconds":9223372036854775807},"gesture":{"microseconds":87900400},"moreLoad":{"\
        microseconds":112900400},"refreshLoad":{"microseconds":9223372036854775807},"settle":{"mic\
        roseconds":9223372036854775807}},"filledPages":0,"floor":{"closed":{}},"generation":1,"geo\
        metry":{"contentLength":3600,"cover":0,"direction":"ltr","endInset":34,"farHost":34,"farSa\
        fe":0,"isMirrored":false,"layout":{"axis":"vertical","isReversed":false},"nearHost":88,"ne\
        arSafe":0,"search":0,"startInset":88,"viewportLength":800},"gesture":{"cause":"finger","ha\
        sFiredMore":true,"hasFiredRefresh":false,"isOpen":true,"movesTowardsEnd":true,"phase":{"dr\
        agging":{}}},"hasAskedForMore":true,"hasRefreshFailed":false,"insets":{"floor":0,"loadMore\
        ":64,"refresh":0,"toldLoadMore":0,"toldRefresh":64},"isMoreQueuedByGesture":false,"isMoreR\
        enewed":false,"isMoreSuperseded":false,"isOffsetKnown":true,"isPageLanding":false,"isPullS\
        pent":false,"isQueuedByGesture":false,"isRefreshRenewed":false,"isRoomLanding":false,"last\
        LoadNumber":2,"loadMore":{"loading":{"_0":{"generation":1,"number":2}}},"mayFill":false,"m\
        oreAttempt":1,"moreCause":"finger","moreStartedAt":{"microseconds":82900400},"moreTrigger"\
        :"reachAtEnd","offset":2750,"options":{"announces":true,"attention":"everything","gestureS\
        ilence":5000,"isClientBacked":false,"layout":{"axis":"vertical","isReversed":false},"loadD\
        eadline":30000,"loadMore":{"backOff":1000,"backOffMax":30000,"fillPagesMax":5,"holdsInset"\
        :true,"insetDuration":250,"intents":127,"isEnabled":true,"length":64,"mode":"limit","needs\
        Approach":true,"onCancel":"disarm","preload":200,"preloadItems":0,"rearm":"content","spars\
        eDeadline":{"milliseconds":4294967295},"sparseLeadTime":{"milliseconds":200},"trigger":"re\
        ach","whileRefreshing":"reject"},"paging":{"firstNumber":1,"itemsOfPage":10,"style":"page"\
        },"pan":{"damping":"uiscrollview","rate":"normal","sparsePull":{"points":-1}},"playsHaptic\
        s":true,"refresh":{"changes":"cue","closing":"animated","coolDown":0,"failureHold":1500,"f\
        iresAgain":false,"hasFloor":false,"holdsInset":true,"hysteresis":8,"insetDuration":250,"in\
        tents":125,"isEnabled":true,"isFloating":false,"isStrict":false,"length":64,"minVisible":3\
        00,"offsetDuration":250,"onCancel":"disarm","preload":0,"pullsAgain":true,"seesProgram":fa\
        lse,"slop":10,"sparseDeadline":{"milliseconds":4294967295},"sparseRoom":{"points":-1},"spa\
        rseZone":{"points":-1},"staleAfter":0,"start":0,"step":0,"storedFloor":{"closingParts":166\
        7,"duration":300,"length":0,"speed":0,"timeout":0},"successHold":400,"trigger":"release","\
        whileLoading":"cancel"}},"ownsPhysics":false,"pace":{"latency":0,"sampledAt":{"microsecond\
        s":82900400},"speed":4.375},"paging":{"hasMore":true,"hasPage":true,"items":10,"last":{"of\
        fset":0,"page":1},"next":{"offset":10,"page":2},"options":{"firstNumber":1,"itemsOfPage":1\
        0,"style":"page"}},"refresh":{"idle":{}},"refreshAnimates":true,"refreshAttempt":0,"refres\
        hCause":"code","refreshSize":10,"refreshTrigger":"manual","revealedLength":0,"shownAt":{"m\
        icroseconds":81571400},"updatedAt":{"microseconds":81700200}},"feed":{"delivered":1,"name"\
        :"songs","parameters":[{"name":"q","value":{"text":{"_0":"abc"}}}],"shownItems":[]},"id":"\
        list","indicators":[{"name":"spinner","role":"refresh"},{"name":"spinner","role":"loadMore\
        "}],"pans":false,"profile":"default"}],"wantsSnapshots":true}
        """
}
