import Glibc
import MessageBus
import Synchronization
import Testing
import Workbench

@Suite(
    "Connections to the bus that are lost", .limit,
    .enabled(if: NATSServer.isInstalled, "nats-server is not installed: run scripts/setup"))
struct BusReconnectTests {
    @Test("A server that starts later is connected then, and its absence is reported once")
    func startsLater() async throws {
        let server = try NATSServer(isStarted: false)
        let bus = try BusRecorder(server)
        #expect(!bus.publish("too early", to: "a"))
        #expect(await becomesTrue { !bus.failures.isEmpty })
        // In this time several attempts fail.
        try await Task.sleep(for: .milliseconds(1500))
        try server.start()
        #expect(await bus.connects())
        #expect(bus.events.count == 2)
        let reason = try #require(bus.failures.first)
        #expect(reason.hasPrefix("\(server.url): "))
    }

    @Test("When a server is killed and comes back, the subscriptions continue")
    func restarts() async throws {
        let server = try NATSServer()
        let one = try BusRecorder(server)
        let two = try BusRecorder(server)
        try two.connection.subscribe("a")
        #expect(await one.connects())
        #expect(await two.connects())
        for round in 1...3 {
            server.stop()
            #expect(await becomesTrue { one.disconnections.count == round })
            #expect(await becomesTrue { two.disconnections.count == round })
            try server.start()
            #expect(await one.connects(round + 1))
            #expect(await two.connects(round + 1))
            #expect(one.publish("round \(round)", to: "a"))
            #expect(await becomesTrue { two.messages == (1...round).map { "round \($0)" } })
        }
        let states = two.events.compactMap { event -> Bool? in
            switch event {
            case .connected: true
            case .disconnected: false
            default: nil
            }
        }
        #expect(states == [true, false, true, false, true, false, true])
    }

    @Test("Without a connection, publishing returns false at once, and nothing is sent later")
    func publishesNothing() async throws {
        let server = try NATSServer()
        let one = try BusRecorder(server)
        let two = try BusRecorder(server)
        try two.connection.subscribe("a")
        #expect(await one.connects())
        #expect(await two.connects())
        server.stop()
        #expect(await becomesTrue { one.disconnections.count == 1 })
        #expect(await becomesTrue { two.disconnections.count == 1 })
        let clock = ContinuousClock()
        let time = clock.measure {
            for _ in 0..<1000 { #expect(!one.publish("lost", to: "a")) }
        }
        #expect(time < .seconds(1) * patience)
        try server.start()
        #expect(await two.connects(2))
        #expect(await one.connects(2))
        #expect(one.publish("first", to: "a"))
        #expect(await becomesTrue { two.messages == ["first"] })
    }

    @Test("Of two servers one is killed: the other is used")
    func otherServer() async throws {
        let servers = try [NATSServer(), NATSServer()]
        let bus = try BusRecorder(servers[0], servers[1])
        #expect(await bus.connects())
        let first = try #require(bus.connectedServers.first)
        let used = try #require(servers.first { $0.url == first })
        let other = try #require(servers.first { $0.url != first })
        used.stop()
        #expect(await bus.connects(2))
        #expect(bus.connectedServers == [used.url, other.url])
        other.stop()
        #expect(await becomesTrue { bus.disconnections.count == 2 })
        try used.start()
        #expect(await bus.connects(3))
        #expect(bus.connectedServers.last == used.url)
    }

    @Test("A server that is stopped by SIGSTOP is noticed within five seconds", .ownThread)
    func silent() async throws {
        let server = try NATSServer()
        let bus = try BusRecorder(server)
        #expect(await bus.connects())
        server.send(SIGSTOP)
        let clock = ContinuousClock()
        let start = clock.now
        #expect(await becomesTrue { bus.disconnections.count == 1 })
        #expect(clock.now - start < .seconds(5) * patience)
        server.send(SIGCONT)
        #expect(await bus.connects(2))
    }

    @Test(
        "Publishing to a server that reads nothing never waits, and the connection is replaced",
        arguments: [false, true])
    func fullSocket(isSecure: Bool) async throws {
        let certificates = try CertificateFolder()
        let pair = try certificates.make("server")
        let server = try NATSServer(isSecure ? NATSServer.tls(pair) : "")
        var options = BusOptions(name: "test", servers: [server.url])
        options.tls = isSecure ? BusOptions.TLS(ca: certificates.authority) : nil
        let bus = try BusRecorder(options)
        #expect(await bus.connects())
        server.send(SIGSTOP)
        let message = [UInt8](repeating: 0x61, count: 1 << 20)
        let clock = ContinuousClock()
        var longest = Duration.zero
        var refused = 0
        for _ in 0..<200 {
            let time = clock.measure {
                if !bus.connection.publish(message, to: "a") { refused += 1 }
            }
            longest = max(longest, time)
        }
        #expect(longest < .milliseconds(500) * patience)
        // 64 MiB wait, and several more are in the buffers of the kernel.
        #expect(refused > 50)
        #expect(await becomesTrue { bus.disconnections.count == 1 })
        server.send(SIGCONT)
        #expect(await bus.connects(2))
        #expect(bus.publish("goes on", to: "a"))
    }

    @Test("A server that falls silent in the TLS handshake does not keep others from being tried")
    func silentHandshake() async throws {
        let certificates = try CertificateFolder()
        let server = try NATSServer(
            NATSServer.tls(try certificates.make("server")), isStarted: false)
        let attempts = Atomic(0)
        let hangUps = Atomic(0)
        let mute = try LocalServer(answersBeforeRequest: true) { exchange in
            attempts.add(1, ordering: .relaxed)
            exchange.send(
                #"INFO {"server_id":"X","version":"2.9.10","proto":1,"host":"127.0.0.1","#
                    + #""port":4222,"max_payload":1048576,"tls_required":true}"# + "\r\n")
            exchange.waitForHangUp()
            hangUps.add(1, ordering: .relaxed)
        }
        var options = BusOptions(
            name: "test", servers: ["nats://127.0.0.1:\(mute.port)", server.url])
        options.tls = BusOptions.TLS(ca: certificates.authority)
        options.connectTimeoutMs = 500
        let bus = try BusRecorder(options)
        #expect(await becomesTrue { attempts.load(ordering: .relaxed) > 0 })
        try server.start()
        #expect(await bus.connects())
        #expect(bus.connectedServers == [server.url])
        #expect(
            await becomesTrue {
                attempts.load(ordering: .relaxed) == hangUps.load(ordering: .relaxed)
            })
        // The silent server is tried again, too.
        server.stop()
        let before = attempts.load(ordering: .relaxed)
        #expect(await becomesTrue { attempts.load(ordering: .relaxed) > before + 1 })
        bus.connection.close()
        #expect(
            await becomesTrue {
                attempts.load(ordering: .relaxed) == hangUps.load(ordering: .relaxed)
            })
    }
}
