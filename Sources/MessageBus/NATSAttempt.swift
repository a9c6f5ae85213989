internal import CNATS
internal import Glibc
internal import Synchronization

/// One attempt to connect to a server, on a thread of its own.
///
/// In a TLS handshake, libnats waits for the server without a limit. The thread of the connection
/// therefore waits for this thread, but not longer than it wants. Then it abandons the attempt, and
/// a signal interrupts the call of the system in which libnats waits.
///
/// Sendability is unchecked because of the settings. libnats copies them when it begins to connect.
final class NATSAttempt: @unchecked Sendable {
    /// The number of the link in `NATSLinkTable`.
    let number: UInt
    private let server: BusServer
    private let settings: NATSSettings
    private let queue: BusQueue
    private let service: BusService

    private struct State: Sendable {
        var thread: pthread_t?
        /// The address of the connection of libnats.
        var result: Result<UInt, NATSFailure>?
        var isAbandoned = false
        var hasEnded = false
    }

    private let state = Mutex(State())

    init(
        to server: BusServer, settings: NATSSettings, queue: BusQueue, service: BusService
    ) throws(NATSFailure) {
        number = NATSLinkTable.insert(queue)
        self.server = server
        self.settings = settings
        self.queue = queue
        self.service = service
        do throws(NATSFailure) {
            try settings.prepare(link: number)
        } catch {
            NATSLinkTable.remove(number)
            throw error
        }
    }

    /// Connects, and waits for the result at most until `deadlineMs` (see `MonotonicClock`), or
    /// until the thread of the connection must end. Returns nil if the attempt is abandoned.
    func run(untilMs deadlineMs: Int64) -> Result<OpaquePointer, NATSFailure>? {
        let result = start() ? wait(untilMs: deadlineMs) : .failure(Self.noThread)
        if case .success(let address) = result,
            let connection = unsafe OpaquePointer(bitPattern: address)
        {
            return unsafe .success(connection)
        }
        NATSLinkTable.remove(number)
        queue.detach(link: number)
        guard case .failure(let failure) = result else { return nil }
        service.waitForRelease()
        return unsafe .failure(failure)
    }

    /// Whether nothing of the attempt is left.
    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Interrupts the call of the system in which an abandoned attempt waits.
    func interrupt() {
        state.withLock { state in
            guard let thread = state.thread, !state.hasEnded else { return }
            pthread_kill(thread, NATSLibrary.interruption)
        }
    }

    private static let noThread = NATSFailure("The system refuses a thread.")

    private func start() -> Bool {
        var thread: pthread_t = 0
        let attempt = unsafe Unmanaged.passRetained(self)
        guard unsafe pthread_create(&thread, nil, attemptMain, attempt.toOpaque()) == 0 else {
            unsafe attempt.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    private func wait(untilMs deadlineMs: Int64) -> Result<UInt, NATSFailure>? {
        queue.waitForAttempt(number, untilMs: deadlineMs)
        let result = state.withLock { state in
            state.isAbandoned = state.result == nil
            return state.result
        }
        if result == nil { interrupt() }
        return result
    }

    fileprivate func connect() {
        NATSLibrary.allowInterruption()
        let mayConnect = state.withLock { state in
            state.thread = pthread_self()
            return !state.isAbandoned
        }
        var created: OpaquePointer?
        let status =
            mayConnect
            ? unsafe natsConnection_Connect(&created, settings.pointer) : NATS_CONNECTION_CLOSED
        let result: Result<UInt, NATSFailure> =
            if status == NATS_OK, let created = unsafe created {
                .success(UInt(bitPattern: created))
            } else if status == NATS_SSL_ERROR, !settings.isSecure {
                .failure(NATSFailure("\(server.url): The server requires TLS: write tls://."))
            } else {
                .failure(NATSFailure(server.url, status))
            }
        let isAbandoned = state.withLock { state in
            state.result = result
            return state.isAbandoned
        }
        if isAbandoned, let created = unsafe created {
            queue.detach(link: number)
            service.waitForRelease()
            unsafe natsConnection_Close(created)
            unsafe natsConnection_Destroy(created)
        }
        nats_ReleaseThreadMemory()
        state.withLock { $0.hasEnded = true }
        if !isAbandoned { queue.endAttempt(number) }
    }
}

private func attemptMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument = unsafe argument else { return nil }
    unsafe Unmanaged<NATSAttempt>.fromOpaque(argument).takeRetainedValue().connect()
    return nil
}
