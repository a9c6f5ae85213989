import Foundation
import RefreshProtocol
import SealedSnapshots
import Testing
import WebSocketTransport
import Workbench

@testable import RefreshConfiguration
@testable import RefreshServer

/// No credential of a client or of the daemon may appear in any output. Each mode runs with canary
/// secrets, and all output is searched for them.
@Suite("Secrets", .limit)
struct SecretsTests {
    /// A text that is part of every secret of these tests. `traces` also has the beginnings of its
    /// forms in hexadecimal and base 64.
    static let canary = "c4n4ry-0f-th3-m1n3"

    private static var traces: [String] {
        let bytes = Array(canary.utf8)
        return [canary, hexadecimal(bytes), String(TokenMint.base64URL(bytes).dropLast(2))]
    }

    /// Runs a daemon with this configuration, lets `body` use it, and searches everything that the
    /// daemon has logged and sent.
    private static func expectSilence(
        _ yaml: String, secrets: [String] = [], _ body: (TestDaemon) async throws -> [String],
        _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let scratch = try TemporaryFile("journals")
        let recorder = LogRecorder()
        let daemon = try TestDaemon(ServerAuthTests.feeds + yaml, log: recorder.log) {
            $0.journal = scratch.path
        }
        var output = try await body(daemon)
        output.append(try await daemon.get("/metrics").body)
        output.append(try await daemon.get("/v1/session").body)
        let server = daemon.server
        await withCheckedContinuation { continuation in
            server.drain { continuation.resume() }
        }
        output += recorder.lines
        #expect(!recorder.lines.isEmpty, sourceLocation: location)
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
        #expect(!names.isEmpty, sourceLocation: location)
        for name in names {
            let text = try String(contentsOfFile: scratch.path + "/" + name, encoding: .utf8)
            #expect(text.contains("hello"), sourceLocation: location)
            output += [name, text]
        }
        for text in output {
            for trace in traces + secrets {
                #expect(
                    !text.contains(trace), "\(trace) in \(text.prefix(2000))",
                    sourceLocation: location)
            }
        }
    }

    /// Sends `hello` in valid and invalid forms. Returns the answers.
    private static func greet(_ daemon: TestDaemon, _ token: String) async throws -> [String] {
        var answers: [String] = []
        let headers = #","headers":{"Authorization":"Bearer \#(canary)","cookie":"a=\#(canary)"}"#
        let views = #","views":[\#(ServerAuthTests.attach)]"#
        for frame in [
            ServerAuthTests.hello(token, more: headers + views),
            ServerAuthTests.hello(canary, more: headers),
            ServerAuthTests.hello(token + canary), "[" + ServerAuthTests.hello(canary) + "]",
            ServerAuthTests.hello(canary).dropLast() + ",}",
            ServerAuthTests.hello(canary).replacing("protocol\":1", with: "protocol\":2"),
            ServerAuthTests.hello(canary).replacing("token", with: "t\\u006fken"),
        ] {
            let client = try await daemon.connect()
            client.send(frame)
            answers.append(await client.receive(within: .patient).text ?? "")
            client.send(#"{"type":"refresh","view":"list","seq":2}"#)
            client.send(#"{"type":"bye"}"#)
            while let text = await client.receive(within: .patient).text { answers.append(text) }
        }
        return answers
    }

    @Test("Without authentication, a token that a client sends anyway is not output")
    func none() async throws {
        try await Self.expectSilence("auth: { mode: none }") {
            try await Self.greet($0, Self.canary)
        }
    }

    @Test("Configured tokens and their hashes are not output")
    func token() async throws {
        let token = "t-" + Self.canary
        let hash = ServerAuthTests.hash(token)
        try await Self.expectSilence(
            "auth: { mode: token }\n"
                + "tokens: [{ name: a, sha256: \"\(hash)\", may: [connect, change] }]",
            secrets: [hash]
        ) { daemon in
            let answers = try await Self.greet(daemon, token)
            #expect(answers.first?.contains("welcome") == true)
            let path = "/v1/feeds/songs/changed"
            for bearer in [token, Self.canary] {
                let answer = try await daemon.sendRequest(
                    "POST", path, port: daemon.port, token: bearer)
                #expect([204, 401].contains(answer.status))
                _ = try await daemon.sendRequest(
                    "GET", "/metrics", port: daemon.port, token: bearer)
            }
            return answers
        }
    }

    @Test("JSON Web Tokens and the secret that signs them are not output")
    func webToken() async throws {
        let secret = Self.canary + Self.canary
        let file = try TemporaryFile("secret", secret)
        let token = try await TokenMint.token(
            #"{"alg":"HS256"}"#,
            #"{"sub":"anna","aud":"lists","exp":\#(Date().timeIntervalSince1970 + 60)}"#,
            by: .hmac(secret))
        let parts = token.split(separator: ".").map(String.init)
        try await Self.expectSilence(
            "auth: { mode: jwt, algorithms: [HS256], secretFile: \(file.path), audience: lists }",
            secrets: [parts[1], parts[2]]
        ) {
            let answers = try await Self.greet($0, token)
            #expect(answers.first?.contains("welcome") == true)
            return answers
        }
    }

    @Test("The requests to the authentication service and its answers are not output")
    func service() async throws {
        let server = try LocalServer { exchange in
            let body = String(decoding: exchange.body, as: UTF8.self)
            guard body.contains(#""token":"t-"#) else {
                return exchange.reply(500, Self.canary, headers: "X-Secret: \(Self.canary)\r\n")
            }
            exchange.reply(200, #"{"allow":true,"subject":"anna","note":"\#(Self.canary)"}"#)
        }
        try await Self.expectSilence(
            "auth: { mode: http, url: \"\(server.url)/who?key=\(Self.canary)\" }"
        ) {
            let answers = try await Self.greet($0, "t-" + Self.canary)
            #expect(answers.first?.contains("welcome") == true)
            return answers
        }
        #expect(server.received.contains { $0.contains("key=\(Self.canary)") })
    }

    @Test("The key that seals snapshots is not output")
    func snapshotKey() async throws {
        let bytes = Array((Self.canary + Self.canary).utf8.prefix(32))
        let file = try TemporaryFile("snapshot.key", Data(bytes).base64EncodedString())
        try await Self.expectSilence(
            "auth: { mode: none }\nresume: { keys: [{ id: k1, file: \(file.path) }] }"
        ) { daemon in
            let client = try await daemon.connect()
            client.send(#"{"type":"hello","protocol":1,"snapshots":true}"#)
            client.send(#"{"type":"snapshot"}"#)
            var answers: [String] = []
            while !answers.contains(where: { $0.contains(#""sealed""#) }) {
                answers.append(try #require(await client.receive(within: .patient).text))
            }
            client.send(#"{"type":"bye"}"#)
            while let text = await client.receive(within: .patient).text {
                answers.append(text)
            }
            return answers
        }
    }

    @Test("An invalid key file is refused, and its content is not output")
    func keyFiles() throws {
        let text = try TemporaryFile("a.key", Self.canary)
        let pem = try TemporaryFile(
            "key.pem",
            "-----BEGIN PRIVATE KEY-----\n\(Self.canary)\n-----END PRIVATE KEY-----\n")
        for yaml in [
            "resume: { keys: [{ id: k1, file: \(text.path) }] }",
            "tls: { certificate: \(pem.path), key: \(pem.path) }",
            "tls: { certificate: \(text.path), key: \(text.path) }",
        ] {
            let error = #expect(throws: (any Error).self, "\(yaml)") {
                try TestDaemon(yaml)
            }
            let texts = error.map { "\($0) \(String(reflecting: $0))" } ?? ""
            for trace in Self.traces { #expect(!texts.contains(trace), "\(texts)") }
        }
    }

    @Test(
        "`print-config` prints the paths of the keys of snapshots, TLS and tokens, not their content"
    )
    func printed() throws {
        let bytes = Array((Self.canary + Self.canary).utf8.prefix(32))
        let seal = try TemporaryFile("snapshot.key", Data(bytes).base64EncodedString())
        let certificates = try CertificateFolder()
        let pair = try certificates.make("secret")
        let secret = try TemporaryFile("secret", Self.canary + Self.canary)
        let hash = ServerAuthTests.hash(Self.canary)
        let text = """
            auth: { mode: jwt, algorithms: [HS256], secretFile: \(secret.path), audience: lists }
            tokens: [{ name: a, sha256: "\(hash)", may: [administer] }]
            tls: { certificate: \(pair.certificate), key: \(pair.key) }
            resume: { keys: [{ id: k1, file: \(seal.path) }] }
            """
        let layers = try LayeredConfiguration(
            text: text, path: "/etc/refreshd.yaml", flags: ConfigurationFlags(), environment: [:])
        let printed = layers.listing.text()
        let key = try String(contentsOfFile: pair.key, encoding: .utf8)
        let body = key.split(separator: "\n").dropFirst().dropLast().map(String.init)
        #expect(!body.isEmpty)
        for trace in Self.traces + [hash] + body { #expect(!printed.contains(trace)) }
        for path in [secret.path, pair.key, seal.path] { #expect(printed.contains(path)) }
    }

    @Test("The log of a reload contains no bodies, command lines or URLs of feeds")
    func reloaded() throws {
        func layers(_ secret: String) throws(ConfigurationError) -> LayeredConfiguration {
            try LayeredConfiguration(
                text: """
                    feeds:
                      a:
                        backend: http
                        paging: page
                        method: POST
                        url: "http://127.0.0.1:9/hooks/\(secret)?page={page}&k=\(secret)"
                        headers: { x-key: "\(secret)" }
                        body: { page: "{page}", key: "\(secret)" }
                      b: { backend: exec, paging: none, command: [/bin/cat, "--key=\(secret)"], environment: { K: "\(secret)" } }
                    auth: { mode: http, url: "http://127.0.0.1:9/\(secret)" }
                    """, path: "/etc/refreshd.yaml", flags: ConfigurationFlags(), environment: [:])
        }
        let recorder = LogRecorder()
        var next = Self.canary
        var reload = ConfigurationReload(
            of: try LayeredConfiguration(
                text: "auth: { mode: none }", path: "/etc/refreshd.yaml",
                flags: ConfigurationFlags(), environment: [:]),
            log: recorder.log, read: { () throws(ConfigurationError) in try layers(next) },
            take: { _ in })
        // The first reload adds the feeds. The second one only changes them.
        let isFirstApplied = reload.run()
        next = Self.canary + "-2"
        let isSecondApplied = reload.run()
        #expect(isFirstApplied && isSecondApplied)
        let logged = recorder.lines
        for name in ["a.url", "a.body", "a.headers", "b.command", "b.environment"] {
            let lines = logged.filter { $0.contains("feeds.\(name)") }
            #expect(lines.count == 2, "\(name) in \(logged)")
            #expect(lines.last?.contains("changed") == true, "\(lines)")
        }
        #expect(logged.contains { $0.contains("http://127.0.0.1:9/***") })
        for line in logged {
            for trace in Self.traces { #expect(!line.contains(trace), "\(line)") }
        }
    }

    @Test("The description of a configuration error contains no secret")
    func mistakes() throws {
        let secret = try TemporaryFile("secret", String(Self.canary.prefix(20)))
        let set = try TemporaryFile(
            "keys.json", #"{"keys":[{"kty":"oct","k":"\#(Self.canary)"},{"k":"\#(Self.canary)"}]}"#)
        for yaml in [
            "tokens: [{ name: a, sha256: \(Self.canary), may: [connect] }]",
            "auth: { mode: jwt, algorithms: [HS256], secretFile: \(secret.path), audience: a }",
            "auth: { mode: jwt, algorithms: [HS256], jwks: \(secret.path), audience: a }",
            "auth: { mode: jwt, algorithms: [HS256], jwks: \(set.path), audience: a }",
            "auth: { mode: http, url: \"http://u:\(Self.canary)@h/\" }",
            "auth: { mode: http, url: \"http://h/#\(Self.canary)\" }",
        ] {
            Self.expectRefusal(yaml)
        }
    }

    @Test("The description of an error contains no secret, even if the secret is misplaced")
    func misplaced() throws {
        let http = "backend: http, paging: page, url: \"http://h/?page={page}\""
        let exec = "backend: exec, paging: none, command: [/bin/cat]"
        for yaml in [
            "tokens: \(Self.canary)", "tokens: [\(Self.canary)]", "tokens: { a: \(Self.canary) }",
            "auth: \(Self.canary)", "auth: [\(Self.canary)]", "tls: \(Self.canary)",
            "resume: \(Self.canary)", "resume: { keys: \(Self.canary) }",
            "resume: { keys: \"\(Self.canary)\" }", "resume: { keys: [\(Self.canary)] }",
            "resume: { keys: [{ id: \"\(Self.canary)=\", file: a }] }",
            "feeds: { a: { \(http), headers: \"Bearer \(Self.canary)\" } }",
            "feeds: { a: { \(http), headers: [\"authorization: \(Self.canary)\"] } }",
            "feeds: { a: { \(http), headers: { \"Bearer \(Self.canary)\" } } }",
            "feeds: { a: { \(http), headers: { authorization: [\(Self.canary)] } } }",
            "feeds: { a: { \(http), headers: { a: \"\(Self.canary)\\u0001\" } } }",
            "feeds: { a: { \(http), proxy: \"\(Self.canary)\" } }",
            "feeds: { a: { \(http), proxy: \"http://u:\(Self.canary)@h:99999\" } }",
            "feeds: { a: { \(http), ca: \(Self.canary) } }",
            "feeds: { a: { backend: http, paging: page, url: \"\(Self.canary)\" } }",
            "feeds: { a: { \(exec), environment: \"K=\(Self.canary)\" } }",
            "feeds: { a: { \(exec), environment: [\"K=\(Self.canary)\"] } }",
            "feeds: { a: { \(exec), environment: { \"K=\(Self.canary)\" } } }",
            "feeds: { a: { \(exec), environment: { K: [\(Self.canary)] } } }",
            "feeds: { a: { backend: exec, paging: none, command: \"cat \(Self.canary)\" } }",
            "feeds: { a: { backend: exec, paging: none, command: [\"K=\(Self.canary)\"] } }",
            "auth: { mode: jwt, algorithms: [HS256], secretFile: \(Self.canary), audience: a }",
            "auth: { mode: jwt, algorithms: [HS256], jwks: \(Self.canary), audience: a }",
            "tls: { certificate: /dev/null, key: \(Self.canary) }",
            "tls: { certificate: \(Self.canary), key: \(Self.canary) }",
            // The YAML library itself refuses these texts.
            "log: { level: info }\ntokens: \"\u{1}\(Self.canary)\"", "a: \(Self.canary): b",
            "tokens: [\(Self.canary)", "tokens: \"\\q\(Self.canary)\"", "tokens: *\(Self.canary)",
            "tokens: !\(Self.canary) %a\u{0}",
        ] {
            Self.expectRefusal(yaml)
        }
        for file in [Self.canary, Self.canary + "/" + Self.canary, "/" + Self.canary] {
            let settings = ResumeSettings(keys: [.init(id: "k1", file: file)])
            let error = #expect(throws: ConfigurationError.self) {
                try KeyRing(settings, log: .silent)
            }
            #expect(error?.description.contains(Self.canary) == false)
            #expect(error?.description.contains("resume.keys[0].file") == true)
        }
    }

    /// Expects that the configuration is refused, and that the error contains no secret.
    private static func expectRefusal(_ yaml: String) {
        let error = #expect(throws: ConfigurationError.self, "\(yaml)") {
            try ConfigurationFile(text: yaml, path: "refreshd.yaml")
        }
        #expect(error?.description.contains(canary) == false, "\(yaml)")
    }
}
