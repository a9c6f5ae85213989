extension Contract {
    /// The `attached` message that the daemon of the demo sends to a client in `plain` mode.
    static let attachedExample = [
        #"{"type":"attached","view":"list","ack":1,"generation":1,"profile":"default","axis":"vertical","#,
        #""reversed":false,"attention":"everything","haptics":true,"announcements":true,"#,
        #""top":{"role":"refresh","state":"idle","enabled":true,"trigger":"release","length":64,"#,
        #""start":0,"room":64,"preload":0,"hysteresis":8,"slop":10,"strict":false,"hold":true,"zone":null,"#,
        #""floating":false,"insetDuration":250,"offsetDuration":250,"#,
        #""intents":["finger","wheel","key","accessibility","code","retry"],"whileLoading":"cancel","#,
        #""onCancel":"disarm","closing":"animated","step":0,"seesCode":false,"pullsAgain":true,"#,
        #""firesAgain":false,"minVisible":300,"successHold":400,"failureHold":1500,"coolDown":0,"#,
        #""changes":"cue","staleAfter":0,"deadline":null,"floor":null},"#,
        #""bottom":{"role":"loadMore","state":"idle","enabled":true,"trigger":"reach","mode":"limit","#,
        #""length":64,"preload":200,"preloadItems":0,"leadTime":200,"hold":true,"insetDuration":250,"#,
        #""onCancel":"disarm","rearm":"content","anyDirection":false,"#,
        #""intents":["finger","fling","wheel","key","accessibility","code","retry"],"#,
        #""whileRefreshing":"reject","fill":5,"backOff":1000,"backOffMax":30000,"#,
        #""asksAgain":true,"deadline":null},"#,
        #""paging":{"style":"page","first":1,"size":50},"#,
        #""pan":{"damping":"uiscrollview","maximumPull":null,"deceleration":"normal"},"#,
        #""inset":{"top":0,"bottom":0,"duration":0}}"#,
    ].joined()
}
