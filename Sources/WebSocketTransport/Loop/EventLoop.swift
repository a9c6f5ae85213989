import CLWS
import Glibc
import Synchronization

/// One event loop: a thread, the connections it accepted, and the mailbox for messages from other
/// threads. All events of a connection are handled on this thread, one after the other.
///
///     accept -> UpgradeGate -> TransportHandler.admit -> Connection -> TransportHandler.received
///     post from any thread -> mailbox -> job on the loop's thread
///
/// The caller must handle signals: block them in all threads before creating a loop, and let one
/// thread wait for them. The loop's own thread blocks all signals, and libwebsockets installs no
/// handlers.
///
/// The reasons for `@unchecked Sendable`, field by field:
/// - `configuration`, `parts`, `listeners`, `endpoint`, `makeHandler`, `reservedDescriptors`, the
///   timers, `headWatch`: set in `init` and never changed. The objects behind `parts`, `endpoint`
///   and the timers are used only on the loop's thread. The exception is `lws_cancel_service`,
///   which is the only call that libwebsockets allows on other threads.
/// - `mailbox`, `lifecycle`: each protected by a mutex. `loopThread`: atomic.
/// - All fields under "Loop thread only": used only on that thread after `start` has created it.
///   `checkThread` traps on other threads in debug builds.
@safe
package final class EventLoop: @unchecked Sendable {
    struct Mailbox {
        var jobs: [@Sendable () -> Void] = []
        var isClosed = false
    }

    enum Lifecycle {
        case made
        case running(pthread_t)
        case ended
    }

    /// The configuration that the loop was created with.
    package let configuration: LoopConfiguration
    let parts: ServiceParts
    let makeHandler: @Sendable (EventLoop) -> any TransportHandler
    let listeners: [ListeningSocket]
    let endpoint: TLSEndpoint?
    let mailbox = Mutex(Mailbox())
    let lifecycle = Mutex(Lifecycle.made)
    let loopThread = Atomic<UInt>(0)
    let wakeTimer: LoopTimer
    let livenessTimer: LoopTimer
    let acceptTimer: LoopTimer
    let endTimer: LoopTimer
    let headTimer: LoopTimer
    let headWatch: HeadWatch
    let reservedDescriptors = ReservedDescriptors.process
    let pingBuffer: UnsafeMutablePointer<UInt8>

    // Loop thread only.
    var handler: (any TransportHandler)?
    var coarseMs: UInt32 = 0
    var connections: ConnectionTable
    /// The time limit in milliseconds for the next head, measured from the accepted connection or
    /// from the previous answer.
    var headTimeoutMs: Int
    var headDeadlines = HeadDeadlines()
    /// The connections whose heads are inspected before libwebsockets reads them, by socket.
    var watched: [Int32: ConnectionRecord] = [:]
    /// Whether libwebsockets is reading data that was inspected.
    var isServicing = false
    var awaitedAnswers: [HTTPTicket: ConnectionRecord] = [:]
    var lastTicket: UInt64 = 0
    let bodyTotal = BodyTotal()
    var listening: [OpaquePointer] = unsafe []
    var wakeupAt: Int64?
    var tickedAt: Int64 = 0
    /// The time source for head deadlines, in microseconds; tests replace it.
    var clock: () -> Int64 = { MonotonicClock.nowMicroseconds }
    /// Connections that are being cut with a partly sent frame. libwebsockets keeps such a frame
    /// until its connection ends.
    var condemned: [Connection] = []
    var isLivenessTicking = false
    var isEnding = false
    var proxies: TrustedProxies

    /// Creates a loop that accepts from `listeners`. The loop takes ownership of the listeners,
    /// even if this initializer throws. TLS listeners authenticate with `identity`. Forwarding
    /// headers from `proxies` are trusted. `makeHandler` is called once on the loop's thread,
    /// before any other code runs there.
    package convenience init(
        configuration: LoopConfiguration = LoopConfiguration(), listeners: [ListeningSocket],
        identity: TLSIdentity? = nil, proxies: TrustedProxies = TrustedProxies(),
        makeHandler: @escaping @Sendable (EventLoop) -> any TransportHandler
    ) throws(TransportError) {
        try self.init(
            configuration, listeners, identity, proxies, authorities: nil,
            makeHandler: makeHandler)
    }

    /// Creates a loop like the initializer above. If `authorities` is not nil, dialed connections
    /// of the loop can use TLS.
    init(
        _ configuration: LoopConfiguration, _ listeners: [ListeningSocket],
        _ identity: TLSIdentity?, _ proxies: TrustedProxies, authorities: TLSAuthorities?,
        makeHandler: @escaping @Sendable (EventLoop) -> any TransportHandler
    ) throws(TransportError) {
        let owner = UnsafeMutablePointer<Unmanaged<EventLoop>?>.allocate(capacity: 1)
        unsafe owner.initialize(to: nil)
        let endpoint = identity.map(TLSEndpoint.init)
        do throws(TransportError) {
            try configuration.check()
            guard endpoint != nil || !listeners.contains(where: \.speaksTLS) else {
                throw .configurationInvalid(name: "identity", reason: "is required for TLS")
            }
            unsafe parts = try ServiceParts(
                configuration: configuration, owner: owner, endpoint: endpoint,
                authorities: authorities)
            unsafe headWatch = try HeadWatch(
                loop: parts.uvLoop, bytesMax: 2 * configuration.headBytesMax)
        } catch {
            for listener in listeners { listener.close() }
            throw error
        }
        self.configuration = configuration
        self.listeners = listeners
        self.endpoint = endpoint
        self.proxies = proxies
        self.makeHandler = makeHandler
        connections = ConnectionTable(loopIndex: configuration.index)
        let uvLoop = unsafe parts.uvLoop
        wakeTimer = unsafe LoopTimer(loop: uvLoop)
        livenessTimer = unsafe LoopTimer(loop: uvLoop)
        acceptTimer = unsafe LoopTimer(loop: uvLoop)
        endTimer = unsafe LoopTimer(loop: uvLoop)
        headTimer = unsafe LoopTimer(loop: uvLoop)
        headTimeoutMs = configuration.headTimeoutMs
        let room = Connection.headroom + 4
        let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: room)
        unsafe buffer.initialize(repeating: 0, count: room)
        unsafe pingBuffer = buffer + Connection.headroom
        unsafe owner.pointee = Unmanaged.passUnretained(self)
        wakeTimer.action = { [unowned self] in wakeTimerFired() }
        livenessTimer.action = { [unowned self] in livenessTimerFired() }
        acceptTimer.action = { [unowned self] in resumeAccepting() }
        endTimer.action = { [unowned self] in stopServiceLoop() }
        headTimer.action = { [unowned self] in headTimerFired() }
        headWatch.action = { [unowned self] in inspectHead(on: $0) }
    }

    /// Returns the loop that a connection of libwebsockets belongs to.
    static func of(_ wsi: OpaquePointer) -> EventLoop {
        let user = unsafe lws_context_user(lws_get_context(wsi))
        guard let owner = unsafe user?.assumingMemoryBound(to: Unmanaged<EventLoop>?.self),
            let loop = unsafe owner.pointee
        else { preconditionFailure("a callback ran before the loop was created") }
        return unsafe loop._withUnsafeGuaranteedRef { $0 }
    }
}
