import RefreshBackends
import RefreshBroker
import RefreshProtocol
import Workbench

extension ContractSubject {
    /// The kind `exec`, with a process in Python that has the behaviour.
    static let exec = ContractSubject(
        "exec",
        covers: LinePeer.covered.union([.dripping])
    ) { behaviour in
        let script = try TemporaryFile("worker.py", ExecScript.text)
        let healed = try TemporaryFile("healed")
        var options = ExecOptions(command: ["/usr/bin/python3", script.path], folder: "/")
        options.environment = [
            "BEHAVIOUR": ExecScript.name(of: behaviour), "HEALED": healed.path,
            "VERBATIM": OddJSON.envelope, "TWINS": OddJSON.twins,
            "BROKEN": LinePeer.broken(behaviour),
        ]
        options.graceMs = 100
        options.restartBaseMs = 5
        options.restartCapMs = 50
        let backend = try ExecBackend(options, feeds: ["feed"], notices: FeedNotices()) { _ in }
        var rig = LinePeer.rig(backend, behaviour)
        if behaviour == .halfAnswer { rig.code = .backendFailed }
        rig.heal = { try healed.write("") }
        rig.holding = [script, healed, Stopping(backend)]
        return rig
    }

    /// An object that stops a backend when the rig is released.
    private final class Stopping: Sendable {
        private let backend: ExecBackend

        init(_ backend: ExecBackend) { self.backend = backend }

        deinit { backend.stop() }
    }
}

/// The common parts of the two kinds that use the line protocol.
enum LinePeer {
    static let covered: Set<Behaviour> = [
        .list, .empty, .verbatim, .duplicates, .lifetime, .echo, .failing(.backendFailed),
        .failing(.backendBusy, retryAfterMs: 3000), .failing(.backendRejected), .progress,
        .hanging, .garbage, .wrongTypes, .halfAnswer, .gigabyte, .dying,
    ]

    static let items = (1...45).map { #"{"id":\#($0),"title":"Item \#($0)"}"# }

    /// Returns a broken answer, with or without the id of a load.
    static func broken(_ behaviour: Behaviour) -> String {
        switch behaviour {
        case .wrongTypes: #"{"type":"page","id":"0","items":[1],"more":"yes"}"#
        case .halfAnswer: #"{"type":"page","id":"0","items":[{"id":1},{"i"#
        default: OddJSON.broken(.garbage)
        }
    }

    static func rig(_ backend: any Backend, _ behaviour: Behaviour) -> Rig {
        var rig = Rig(backend)
        rig.paging = .cursor
        rig.items = items
        rig.reportsTotal = true
        rig.answer = behaviour == .verbatim ? OddJSON.items : OddJSON.twins
        rig.lifetimeMs = 4000
        rig.echoed = Set(EchoedRequest.texts(of: EchoedRequest.call(cursor: "")).keys)
        switch behaviour {
        case .gigabyte: rig.code = .backendAnswerTooLarge
        case .dying: rig.code = .backendFailed
        default: rig.code = .backendAnswerMalformed
        }
        return rig
    }
}

/// The program of `ContractSubject.exec`.
enum ExecScript {
    static func name(of behaviour: Behaviour) -> String {
        if case .failing(let code, _) = behaviour { return code.rawValue }
        return behaviour.description
    }

    static let text = #"""
        import json, os, sys, time

        behaviour = os.environ["BEHAVIOUR"]

        def send(text):
            sys.stdout.write(text + "\n")
            sys.stdout.flush()

        def page(load, items, **more):
            send(json.dumps({"type": "page", "id": load["id"], **more})[:-1]
                + ',"items":' + items + "}")

        def misbehave(load):
            if behaviour == "list":
                first = int(load.get("cursor") or 0)
                items = ['{"id":%d,"title":"Item %d"}' % (n, n) for n in range(1, 46)]
                last = first + load["size"]
                more = {"next": str(last)} if last < 45 else {}
                page(load, "[%s]" % ",".join(items[first:last]), more=last < 45, total=45, **more)
            elif behaviour == "empty": page(load, "[]")
            elif behaviour == "verbatim":
                send('{"type":"page","id":"%s",' % load["id"] + os.environ["VERBATIM"][1:])
            elif behaviour == "duplicates": page(load, os.environ["TWINS"])
            elif behaviour == "lifetime": page(load, "[1]", maxAgeMs=4000)
            elif behaviour == "echo": page(load, json.dumps([load]))
            elif behaviour == "backendFailed":
                send(json.dumps({"type": "failed", "id": load["id"], "temporary": True}))
            elif behaviour == "backendBusy":
                send(json.dumps({"type": "failed", "id": load["id"], "temporary": True,
                                "retryAfterMs": 3000}))
            elif behaviour == "backendRejected":
                send(json.dumps({"type": "failed", "id": load["id"], "message": "no"}))
            elif behaviour == "progress":
                for part in (0.25, 0.5):
                    send(json.dumps({"type": "progress", "id": load["id"], "progress": part}))
                page(load, "[1]")
            elif behaviour == "hanging": time.sleep(600)
            elif behaviour in ("garbage", "wrong types"): send(os.environ["BROKEN"])
            elif behaviour == "half an answer":
                sys.stdout.write(os.environ["BROKEN"])
                sys.stdout.flush()
                os._exit(1)
            elif behaviour == "a gigabyte":
                block = "x" * 1048576
                sys.stdout.write('{"type":"page","items":["')
                for n in range(1024): sys.stdout.write(block)
            elif behaviour == "dripping":
                text = '{"type":"page","id":"%s","items":%s}\n' % (load["id"], os.environ["TWINS"])
                for byte in text.encode():
                    os.write(1, bytes([byte]))
                    time.sleep(0.003)
            elif behaviour == "dying": os._exit(1)

        for line in sys.stdin:
            message = json.loads(line)
            if message["type"] == "bye": break
            if message["type"] != "load": continue
            if os.path.exists(os.environ["HEALED"]): page(message, '[{"id":1}]')
            else: misbehave(message)
        """#
}
