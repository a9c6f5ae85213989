import RefreshBackends
import RefreshBroker
import RefreshProtocol

extension ContractSubject {
    /// The kind `demo` on a machine without packages, where it serves the bundled list.
    static let demo = ContractSubject(
        "demo", covers: [.list, .empty, .failing(.backendRejected)]
    ) { behaviour in
        let items: [String] =
            switch behaviour {
            case .list: (1...45).map { #"{"name":"package \#($0)"}"# }
            case .empty: []
            default: [#"{"name":"package"}"#]
            }
        let list = Array("[\(items.joined(separator: ","))]".utf8)
        let path = "/there/is/no/such/file"
        var rig = Rig(try DemoBackend(statusFile: path, fallback: list, paging: .cursor))
        rig.paging = .cursor
        rig.items = items
        rig.reportsTotal = true
        if behaviour == .failing(.backendRejected) {
            // A cursor can be invalid only after the backend has read its list.
            _ = try await rig.backend.load(BackendCall(rig.refresh))
            rig.fatal = rig.next(after: rig.refresh, Page(items: [], count: 0, cursor: "forged"))
        }
        return rig
    }
}
