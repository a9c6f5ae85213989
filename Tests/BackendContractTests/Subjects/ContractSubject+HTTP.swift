import Foundation
import RefreshBackends
import RefreshBroker
import RefreshProtocol
import Synchronization
import Workbench

extension ContractSubject {
    /// The kind `http`, with a local server.
    static let http = ContractSubject(
        "http",
        covers: Set(Behaviour.failures).union([
            .list, .empty, .verbatim, .duplicates, .lifetime, .echo, .hanging, .garbage,
            .wrongTypes, .halfAnswer, .gigabyte, .dripping, .redirecting, .trickling, .dying,
        ])
    ) { behaviour in
        if behaviour == .failing(.backendUntrusted) { return try untrusted() }
        let isHealed = Flag()
        let server = try LocalServer { exchange in
            guard !isHealed.isSet else { return exchange.reply(200, #"[{"id":1}]"#) }
            HTTPAnswers.answer(exchange, behaviour)
        }
        var options = HTTPOptions()
        options.totalTimeoutMs = 120_000
        // On a busy machine, the answer after the healing must still arrive in this time.
        if behaviour == .trickling { options.totalTimeoutMs = 3000 }
        options.redirects = 5
        options.headers = []
        options.forward = ["x-tenant"]
        let query =
            "page={page}&offset={offset}&size={size}&cursor={cursor}&kind={kind}"
            + "&subject={subject}"
            + EchoedRequest.parameters.map { "&parameters.\($0.name)={parameter:\($0.name)}" }
            .joined()
        var rig = Rig(
            try HTTPBackend(
                url: server.url + "/items?" + query,
                parameters: EchoedRequest.parameters.map(\.name), options: options))
        rig.items = HTTPAnswers.items
        rig.reportsTotal = true
        rig.answer = behaviour == .verbatim ? OddJSON.items : OddJSON.twins
        rig.lifetimeMs = 4000
        rig.echoed = Set(
            EchoedRequest.texts(of: EchoedRequest.call(cursor: "")).keys
        ).subtracting(["feed", "trigger", "attempt"])
        switch behaviour {
        case .gigabyte: rig.code = .backendAnswerTooLarge
        case .halfAnswer, .dying: rig.code = .backendFailed
        case .redirecting: rig.code = .backendRejected
        case .trickling: rig.code = .backendTimedOut
        default: rig.code = .backendAnswerMalformed
        }
        rig.heal = { isHealed.set() }
        rig.holding = [server]
        return rig
    }

    /// Returns a rig. Until `heal` is called, its server has a certificate of an unknown authority.
    private static func untrusted() throws -> Rig {
        let servers = try TLSServers()
        var options = HTTPOptions()
        options.connectTimeoutMs = 60_000
        options.totalTimeoutMs = 120_000
        options.ca = servers.authority
        var rig = Rig(try HTTPBackend(url: servers.url(.unknownAuthority), options: options))
        rig.heal = { try servers.heal() }
        rig.holding = [servers]
        return rig
    }
}

/// A flag that any thread may set once.
final class Flag: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .acquiring) }

    func set() { flag.store(true, ordering: .releasing) }
}

/// The answers of the server for each behaviour.
enum HTTPAnswers {
    static let items = (1...45).map { #"{"id":\#($0),"title":"Item \#($0)"}"# }

    static func answer(_ exchange: LocalServer.Exchange, _ behaviour: Behaviour) {
        switch behaviour {
        case .list: list(exchange)
        case .empty: exchange.reply(200, "[]")
        case .verbatim: exchange.reply(200, OddJSON.envelope)
        case .duplicates: exchange.reply(200, OddJSON.twins)
        case .lifetime: exchange.reply(200, "[1]", headers: "Cache-Control: max-age=4\r\n")
        case .echo: echo(exchange)
        case .failing(let code, let retryAfterMs):
            let headers = retryAfterMs.map { "Retry-After: \($0 / 1000)\r\n" } ?? ""
            exchange.reply(status(code), "{}", headers: headers)
        case .progress, .hanging: exchange.waitForHangUp()
        case .garbage, .wrongTypes: exchange.reply(200, OddJSON.broken(behaviour))
        case .halfAnswer:
            exchange.send(
                "HTTP/1.1 200 X\r\nContent-Length: 100\r\n\r\n" + OddJSON.broken(behaviour))
        case .gigabyte: gigabyte(exchange)
        case .dripping: drip(exchange)
        case .redirecting:
            exchange.reply(302, "", headers: "Location: \(exchange.target)\r\n")
        case .trickling:
            exchange.send("HTTP/1.1 200 X\r\nContent-Length: 1000000\r\n\r\n[1")
            while exchange.send(" ") { Thread.sleep(forTimeInterval: 0.02) }
        case .dying:
            exchange.send("HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n[{\"id")
        }
    }

    private static func status(_ code: FaultCode) -> Int {
        switch code {
        case .backendUnavailable: 503
        case .backendTimedOut: 408
        case .backendBusy: 429
        case .backendRejected: 404
        default: 500
        }
    }

    private static func list(_ exchange: LocalServer.Exchange) {
        let page = query(exchange)["page"].flatMap { Int($0) } ?? 1
        let shown = items.dropFirst((page - 1) * 20).prefix(20).joined(separator: ",")
        exchange.reply(
            200, #"{"items":[\#(shown)],"more":\#(page * 20 < items.count),"total":45}"#)
    }

    private static func echo(_ exchange: LocalServer.Exchange) {
        var members = query(exchange).map { JSONValue.Member($0.key, .string($0.value)) }
        for line in exchange.head.split(separator: "\r\n").dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard parts.count == 2 else { continue }
            let name = parts[0].lowercased()
            let part = name == "idempotency-key" ? "key" : "headers." + name
            members.append(JSONValue.Member(part, .string(parts[1])))
        }
        var json = ByteBuffer()
        JSONValue.array([.object(members)]).write(to: &json)
        exchange.reply(200, String(decoding: json.bytes, as: UTF8.self))
    }

    private static func query(_ exchange: LocalServer.Exchange) -> [String: String] {
        let items = URLComponents(string: exchange.target)?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }

    /// Sends data until the client closes the connection, at most a gigabyte.
    private static func gigabyte(_ exchange: LocalServer.Exchange) {
        exchange.send("HTTP/1.1 200 X\r\nConnection: close\r\n\r\n[\"")
        let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
        for _ in 0..<1024 where !exchange.send(piece) { return }
    }

    private static func drip(_ exchange: LocalServer.Exchange) {
        let body = OddJSON.twins
        exchange.send("HTTP/1.1 200 X\r\nContent-Length: \(body.utf8.count)\r\n\r\n")
        for byte in body.utf8 {
            exchange.send([byte])
            Thread.sleep(forTimeInterval: 0.005)
        }
        exchange.waitForHangUp()
    }
}
