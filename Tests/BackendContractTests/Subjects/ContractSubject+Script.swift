import RefreshBackends
import RefreshProtocol

extension ContractSubject {
    /// The kind `script`, in which each behaviour is a step.
    static let script = ContractSubject(
        "script",
        covers: Set(
            Behaviour.failures + [
                .list, .empty, .verbatim, .duplicates, .lifetime, .progress, .hanging, .garbage,
                .wrongTypes, .halfAnswer,
            ])
    ) { behaviour in
        let sound = ScriptStep(.answer(items: Array(#"[{"id":1}]"#.utf8), more: false))
        let step: ScriptStep
        var code: FaultCode?
        switch behaviour {
        case .list: step = ScriptStep(.generate(45))
        case .empty: step = ScriptStep(.generate(0))
        case .verbatim: step = ScriptStep(.raw(Array(OddJSON.envelope.utf8)))
        case .duplicates:
            step = ScriptStep(.answer(items: Array(OddJSON.twins.utf8)))
        case .lifetime: step = ScriptStep(.answer(items: Array("[1]".utf8), maxAgeMs: 4000))
        case .failing(let failure, let retryAfterMs):
            step = ScriptStep(.fail(failure, retryAfterMs: retryAfterMs))
        case .progress:
            step = ScriptStep(
                .answer(items: Array("[1]".utf8)), afterMs: 30, progress: [0.25, 0.5])
        case .hanging: step = ScriptStep(.hang)
        case .garbage, .wrongTypes, .halfAnswer:
            step = ScriptStep(.raw(Array(OddJSON.broken(behaviour).utf8)))
            code = .backendAnswerMalformed
        case .echo, .gigabyte, .dripping, .redirecting, .trickling, .dying: throw Uncovered()
        }
        let isList = behaviour == .list
        var options = ScriptOptions(isList ? [step] : [step, sound])
        options.paging = .cursor
        var rig = Rig(try ScriptBackend(options))
        rig.paging = .cursor
        rig.items = (1...45).map { #"{"id":\#($0),"title":"Item \#($0)"}"# }
        rig.reportsTotal = true
        rig.answer = behaviour == .verbatim ? OddJSON.items : OddJSON.twins
        rig.lifetimeMs = 4000
        rig.code = code
        return rig
    }
}
