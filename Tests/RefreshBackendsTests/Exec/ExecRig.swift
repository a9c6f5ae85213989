import Foundation
import RefreshBroker
import RefreshProtocol
import Synchronization
import Testing
import Workbench

@testable import RefreshBackends

/// An `exec` backend with a program written for one test. It records the log events and the
/// reported feed changes.
final class ExecRig: Sendable {
    let backend: ExecBackend
    let script: TemporaryFile
    private let log = LockedList<ExecEvent>()
    private let changes = LockedList<String>()
    private let lastID = Mutex<UInt64>(0)

    /// Starts the backend. `body` is Python and may call `load`, `send` and `page`. `load` returns
    /// the next load as a dictionary, or None at the end.
    init(
        _ body: String, shell: Bool = false, change: (inout ExecOptions) -> Void = { _ in }
    ) throws {
        let text = shell ? body : Self.prelude + body
        script = try TemporaryFile("worker", text)
        let interpreter = shell ? "/bin/sh" : "/usr/bin/python3"
        var options = ExecOptions(command: [interpreter, script.path], folder: "/")
        options.graceMs = 150
        options.restartBaseMs = 5
        options.restartCapMs = 40
        change(&options)
        let notices = FeedNotices()
        notices.setListener { [changes] in changes.append($0.feed) }
        backend = try ExecBackend(options, feeds: ["songs", "more"], notices: notices) {
            [log] in log.append($0)
        }
    }

    deinit { backend.stop() }

    /// A list of values that any thread may append to.
    final class LockedList<Value: Sendable>: Sendable {
        private let values = Mutex<[Value]>([])

        func append(_ value: Value) { values.withLock { $0.append(value) } }
        var all: [Value] { values.withLock { $0 } }
    }

    static let prelude = """
        import json, os, signal, sys, time
        def load():
            for line in sys.stdin:
                message = json.loads(line)
                if message["type"] == "load":
                    return message
                if message["type"] == "bye":
                    return None
            return None
        def send(**message):
            print(json.dumps(message), flush=True)
        def page(load, *items, **more):
            send(type="page", id=load["id"], items=list(items), **more)

        """

    func load(
        _ feed: String = "songs", cursor: String? = nil, withinMs: Double = 20_000,
        report: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws(LoadFailure) -> Page {
        let id = lastID.withLock { last in
            last += 1
            return last
        }
        let request = LoadRequest(
            feed: feed, kind: .more, trigger: .reachAtEnd, page: 2, offset: 20, size: 20,
            cursor: cursor)
        return try await backend.load(
            BackendCall(
                id: CallID(id), request, idempotencyKey: "key-\(id)",
                deadline: MonotonicTime.now.advanced(byMilliseconds: withinMs), report: report))
    }

    /// Returns the items of a load as text.
    func items(_ feed: String = "songs", withinMs: Double = 20_000) async throws -> String {
        String(decoding: try await load(feed, withinMs: withinMs).items, as: UTF8.self)
    }

    /// Returns the failure of a load, or nil if it succeeded.
    func failure(withinMs: Double = 20_000) async -> LoadFailure? {
        do {
            _ = try await load(withinMs: withinMs)
            return nil
        } catch {
            return error
        }
    }

    var events: [ExecEvent] { log.all }
    var announced: [String] { changes.all }

    var started: [Int32] {
        events.compactMap { if case .started(let process) = $0 { process } else { nil } }
    }

    var errorLines: [String] {
        events.compactMap { if case .errorLine(_, let text) = $0 { text } else { nil } }
    }

    /// Waits until a condition is true. Another thread makes it true. Records an issue after 60
    /// seconds times `patience`.
    func wait(until condition: () -> Bool) async throws {
        for _ in 0..<12_000 * patience {
            if condition() { return }
            try await Task.sleep(for: .milliseconds(5))
        }
        Issue.record("the condition was not met in time")
    }
}

/// Returns whether a process with this id exists and has not ended.
func isRunning(_ process: Int32) -> Bool {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
        let end = status.lastIndex(of: ")")
    else { return false }
    return !status[end...].dropFirst().hasPrefix(" Z")
}
