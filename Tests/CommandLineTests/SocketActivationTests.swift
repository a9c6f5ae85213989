import Foundation
import Testing
import Workbench

/// A daemon that receives its sockets from its parent, as from systemd.
@Suite("Socket activation", .ownThread, .limit)
struct SocketActivationTests {
    /// Opens sockets and prints their ports in one line. Then each line on standard input starts a
    /// daemon with these sockets, or ends the running daemon with SIGTERM.
    private static let supervisor = """
        import os, signal, socket, subprocess, sys
        program, names = sys.argv[1], sys.argv[2].split(":")
        sockets = []
        for name in names:
            listener = socket.socket()
            listener.bind(("127.0.0.1", 0))
            listener.listen(64)
            sockets.append(listener)
        print(" ".join(str(listener.getsockname()[1]) for listener in sockets), flush=True)
        def begin():
            copies = [os.dup(listener.fileno()) for listener in sockets]
            child = os.fork()
            if child == 0:
                signal.pthread_sigmask(signal.SIG_SETMASK, [])
                high = [os.dup2(copy, 100 + index) for index, copy in enumerate(copies)]
                for index, descriptor in enumerate(high):
                    os.dup2(descriptor, 3 + index)
                    os.set_inheritable(3 + index, True)
                os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS=str(len(sockets)),
                                  LISTEN_FDNAMES=sys.argv[2])
                os.execv(program, [program] + sys.argv[3:])
            for copy in copies:
                os.close(copy)
            return child
        child = None
        for line in sys.stdin:
            if child is None:
                child = begin()
            else:
                os.kill(child, signal.SIGTERM)
                print("ended", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
                child = None
        if child is not None:
            os.kill(child, signal.SIGKILL)
        """

    private final class Supervisor {
        private(set) var ports: [UInt16] = []
        private let process = Process()
        private let input = Pipe()
        private let output = Pipe()
        private let script: TemporaryFile
        private var unread = ""

        init(_ names: String, _ arguments: [String]) throws {
            script = try TemporaryFile("supervisor.py", SocketActivationTests.supervisor)
            process.executableURL = URL(filePath: "/usr/bin/python3")
            process.arguments = [script.path, Refreshd.executable.path, names] + arguments
            process.standardInput = input
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            ports = line().split(whereSeparator: \.isWhitespace).compactMap { UInt16($0) }
        }

        deinit {
            try? input.fileHandleForWriting.close()
            process.waitForStatus()
        }

        func step() throws { try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8)) }

        /// Returns the next line that the supervisor or its daemon prints.
        func line() -> String {
            while !unread.contains("\n") {
                let more = output.fileHandleForReading.availableData
                if more.isEmpty { return "" }
                unread += String(decoding: more, as: UTF8.self)
            }
            let line = unread.prefix { $0 != "\n" }
            unread.removeFirst(line.count + 1)
            return String(line)
        }
    }

    private static func get(_ port: UInt16, _ path: String) throws -> String {
        let curl = Process()
        curl.executableURL = URL(filePath: "/usr/bin/curl")
        curl.arguments = [
            "--silent", "--max-time", "30", "--write-out", "%{http_code}", "--output", "/dev/null",
            "http://127.0.0.1:\(port)\(path)",
        ]
        let output = Pipe()
        curl.standardOutput = output
        try curl.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        curl.waitForStatus()
        return String(decoding: text, as: UTF8.self)
    }

    @Test("The daemon serves sockets that it receives, and names them in its first output line")
    func served() throws {
        let supervisor = try Supervisor(
            "web:admin", ["--listen", "127.0.0.1:1", "--loops", "2"])
        let web = try #require(supervisor.ports.first)
        let admin = try #require(supervisor.ports.last)
        try supervisor.step()
        let line = supervisor.line()
        #expect(line.contains(#""port":\#(web),"#))
        #expect(line.contains(#""port":\#(admin),"#))
        #expect(!line.contains(#""port":1,"#))
        for _ in 0..<20 { #expect(try Self.get(web, "/readyz") == "200") }
        // The demo page is served only on the first socket.
        #expect(try Self.get(web, "/") == "200")
        #expect(try Self.get(admin, "/") == "404")
        #expect(try Self.get(admin, "/metrics") == "200")
        try supervisor.step()
        #expect(supervisor.line() == "ended 0")
    }

    @Test("A connection that is made during a restart waits, and the next daemon serves it")
    func restart() throws {
        let supervisor = try Supervisor("web", ["--loops", "2"])
        let port = try #require(supervisor.ports.first)
        for _ in 0..<3 {
            try supervisor.step()
            #expect(supervisor.line().contains(#""port":\#(port),"#))
            #expect(try Self.get(port, "/readyz") == "200")
            try supervisor.step()
            #expect(supervisor.line() == "ended 0")
            let answers = OwnAnswers(port: port)
            usleep(100_000)
            try supervisor.step()
            #expect(supervisor.line().contains(#""port":\#(port),"#))
            #expect(answers.wait() == ["200", "200", "200", "200"])
            try supervisor.step()
            #expect(supervisor.line() == "ended 0")
        }
    }

    /// The answers to four requests that are sent while no daemon accepts connections.
    private final class OwnAnswers: Sendable {
        private static let count = 4
        private let answers: Answers

        private final class Answers: @unchecked Sendable {
            /// Guards `all`.
            let condition = NSCondition()
            var all: [String] = []
        }

        init(port: UInt16) {
            let answers = Answers()
            self.answers = answers
            for _ in 0..<Self.count {
                Thread.detachNewThread {
                    let answer = (try? SocketActivationTests.get(port, "/readyz")) ?? ""
                    answers.condition.lock()
                    answers.all.append(answer)
                    answers.condition.signal()
                    answers.condition.unlock()
                }
            }
        }

        func wait() -> [String] {
            answers.condition.lock()
            defer { answers.condition.unlock() }
            while answers.all.count < Self.count { answers.condition.wait() }
            return answers.all
        }
    }

    @Test(
        "A socket that the daemon cannot serve on is refused",
        arguments: [
            (["LISTEN_FDS": "many"], "LISTEN_FDS: `many` is not 0 to 256"),
            (["LISTEN_FDS": "1"], "file descriptor 3"),
        ])
    func refused(environment: [String: String], message: String) throws {
        let ending = try Self.run(environment, process: "$$")
        #expect(ending.status == 78)
        #expect(ending.errors.contains(message))
    }

    @Test("Sockets for another process are ignored")
    func others() throws {
        let ending = try Self.run(["LISTEN_FDS": "1"], process: "1", "--loops", "0")
        #expect(ending.status == 64)
        #expect(!ending.errors.contains("descriptor"))
    }

    private static func run(
        _ environment: [String: String], process id: String, _ arguments: String...
    ) throws -> (status: Int32, errors: String) {
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        let variables = environment.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
        shell.arguments =
            [
                "-c", "exec 3<&-; export \(variables) LISTEN_PID=\(id); exec \"$@\"", "sh",
                Refreshd.executable.path,
            ] + arguments
        let errors = Pipe()
        shell.standardError = errors
        shell.standardOutput = FileHandle.nullDevice
        try shell.run()
        let text = errors.fileHandleForReading.readDataToEndOfFile()
        shell.waitForStatus()
        return (shell.waitForStatus(), String(decoding: text, as: UTF8.self))
    }

    /// Opens one socket, replaces PORT in the file by the port of this socket, and executes
    /// `check-config` on the file.
    private static let checker = """
        import os, socket, sys
        program, name, host, file = sys.argv[1:]
        listener = socket.socket()
        listener.bind((host, 0))
        listener.listen(8)
        port = str(listener.getsockname()[1])
        with open(file) as text:
            written = text.read().replace("PORT", port)
        with open(file, "w") as text:
            text.write(written)
        print(port, flush=True)
        os.dup2(listener.fileno(), 3)
        os.set_inheritable(3, True)
        os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1", LISTEN_FDNAMES=name)
        os.execv(program, [program, "check-config", "--config", file])
        """

    /// Runs `check-config` on this file with one open socket, and returns the output.
    private static func check(
        _ yaml: String, name: String = "web", host: String = "127.0.0.1"
    ) throws -> (status: Int32, errors: String, port: String) {
        let script = try TemporaryFile("checker.py", checker)
        let file = try TemporaryFile("refreshd.yaml", yaml)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = [script.path, Refreshd.executable.path, name, host, file.path]
        let (output, errors) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, errors)
        try process.run()
        let port = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let message = String(
            decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitForStatus()
        return (
            process.waitForStatus(), message, port.trimmingCharacters(in: .whitespacesAndNewlines)
        )
    }

    @Test("For a socket that the configuration names, check-config prints nothing")
    func checkedNamed() throws {
        for listen in ["127.0.0.1:PORT", "localhost:PORT", "127.0.0.1:0"] {
            let named = try Self.check("listen: \(listen)")
            #expect(named.status == 0 && named.errors.isEmpty, "\(named)")
        }
        let admin = try Self.check("admin: 127.0.0.1:PORT", name: "admin")
        #expect(admin.status == 0 && admin.errors.isEmpty, "\(admin)")
    }

    @Test("For a socket that the configuration does not name, check-config prints a note")
    func checkedUnnamed() throws {
        let other = try Self.check("listen: 127.0.0.1:1")
        #expect(other.status == 0)
        #expect(
            other.errors == """
                refreshd: note: listen: a passed socket on 127.0.0.1:\(other.port) is \
                served, but not listed here
                refreshd: note: listen: 127.0.0.1:1 is not opened, because sockets were passed and \
                it is none of them

                """)
        let admin = try Self.check("listen: 127.0.0.1:1", name: "admin")
        #expect(admin.status == 0)
        #expect(
            admin.errors
                == "refreshd: note: admin: a passed socket on 127.0.0.1:\(admin.port) is served, "
                + "but not listed here\n")
    }

    @Test(
        "As at a start, check-config applies its rules for listeners to received sockets too")
    func checkedRules() throws {
        // A configured address is not opened if no received socket has this address.
        let mild = try Self.check("listen: 0.0.0.0:1")
        #expect(mild.status == 0 && mild.errors.contains("0.0.0.0:1 is not opened"), "\(mild)")
        let open = try Self.check("listen: 127.0.0.1:PORT", host: "0.0.0.0")
        #expect(open.status == 78 && open.errors.contains("auth is missing"), "\(open)")
        let admin = try Self.check("admin: 127.0.0.1:1", name: "admin", host: "0.0.0.0")
        #expect(admin.status == 78 && admin.errors.contains("other machines"), "\(admin)")
    }
}
