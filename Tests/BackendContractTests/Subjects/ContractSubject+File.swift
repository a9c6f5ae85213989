import Glibc
import RefreshBackends
import RefreshBroker
import RefreshProtocol
import Workbench

extension ContractSubject {
    /// The kind `file`, in JSON Lines for several pages, and in JSON otherwise.
    static let file = ContractSubject(
        "file",
        covers: [
            .list, .empty, .verbatim, .duplicates, .failing(.backendUnavailable),
            .failing(.backendRejected), .garbage, .wrongTypes, .halfAnswer, .gigabyte,
        ]
    ) { behaviour in
        let items = (1...45).map { #"{"id":\#($0),"title":"Item \#($0)"}"# }
        let file = try TemporaryFile(behaviour == .list ? "items.jsonl" : "items.json")
        switch behaviour {
        case .list: try file.write(items.map { $0 + "\n" }.joined())
        case .empty: try file.write("[]")
        case .verbatim: try file.write(OddJSON.envelope)
        case .duplicates: try file.write(OddJSON.twins)
        case .failing(.backendUnavailable, nil): break
        case .failing(.backendRejected, nil): try file.write("[]")
        case .garbage, .halfAnswer: try file.write(OddJSON.broken(behaviour))
        case .wrongTypes: try file.write(#"{"items":{"id":1}}"#)
        case .gigabyte:
            try file.write("[")
            guard unsafe truncate(file.path, 1 << 30) == 0 else { throw Uncovered() }
        default: throw Uncovered()
        }
        let bytesMax = 1_048_576
        var rig = Rig(
            try FileBackend(path: file.path, paging: .cursor, bytesMax: bytesMax))
        rig.paging = .cursor
        rig.items = items
        rig.reportsTotal = true
        rig.answer = behaviour == .verbatim ? OddJSON.joinedItems : OddJSON.twins
        rig.code =
            behaviour == .gigabyte ? .backendAnswerTooLarge : .backendAnswerMalformed
        rig.heal = { try file.write(#"[{"id":1}]"#) }
        rig.holding = [file]
        if behaviour == .failing(.backendRejected) {
            rig.fatal = rig.next(after: rig.refresh, Page(items: [], count: 0, cursor: "forged"))
        }
        return rig
    }
}
