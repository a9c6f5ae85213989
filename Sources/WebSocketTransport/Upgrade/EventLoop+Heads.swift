import CLWS
import Glibc

// The loop inspects request heads before the library reads them, for four reasons. The library is
// laxer than HTTP. It hides headers that follow a malformed line. It does not report an incomplete
// head. It writes the answer to an upgrade over data that it has read after the head. Therefore the
// library must not read on its own while a head is awaited (`lws_rx_flow_control`). The loop
// inspects the data, and then makes the library read exactly this data (`readInspected`).
//
//     accept -> watchHeads -> inspectHead -> HeadCheck -> readInspected -> request or upgrade
//                   ^----------------------------- watchNextHead <-----------'
//
// See docs/decisions/0015-heads-are-looked-at-first.md.
extension EventLoop {
    /// The maximum number of inspections of one connection before others get their turn.
    private static let inspectionsInARowMax = 16
    /// The time in seconds that a peer has to close the connection.
    private static let closingSeconds: Int32 = 2

    /// Starts the inspection of heads, until the connection is upgraded or ends.
    func watchHeads(of visit: ConnectionRecord) {
        guard let wsi = unsafe visit.wsi else { return }
        unsafe lws_rx_flow_control(wsi, 0)
        watched[visit.descriptor] = visit
        headWatch.startWatching(visit.descriptor)
    }

    /// Stops the library from reading on its own, after an answer.
    func watchNextHead(of visit: ConnectionRecord) {
        guard let wsi = unsafe visit.wsi, visit.phase != .free else { return }
        visit.phase = .head
        if isServicing { return }
        unsafe lws_rx_flow_control(wsi, 0)
        visit.reader?.awaitsWritable = true
        headWatch.rearm(visit.descriptor)
    }

    /// Ends the inspection. From now on the library reads on its own.
    func stopWatching(_ visit: ConnectionRecord) {
        visit.phase = .free
        visit.reader = nil
        guard watched[visit.descriptor] === visit else { return }
        watched[visit.descriptor] = nil
        headWatch.stopWatching(visit.descriptor)
    }

    /// Handles an event on a watched socket.
    func inspectHead(on descriptor: Int32) {
        checkThread()
        guard let visit = watched[descriptor] else { return }
        for _ in 0..<Self.inspectionsInARowMax {
            guard visit.phase == .head, let wsi = unsafe visit.wsi, let reader = visit.reader
            else { return }
            guard unsafe inspect(visit, reader, wsi) else { return }
        }
        headWatch.rearm(descriptor)
    }

    /// Inspects the connection once. Returns whether there may be more to inspect.
    private func inspect(_ visit: ConnectionRecord, _ reader: HeadReader, _ wsi: OpaquePointer)
        -> Bool
    {
        if reader.isClosing {
            if !headWatch.discard(visit.descriptor) { unsafe terminate(visit, wsi) }
            return false
        }
        let tls = unsafe lws_get_ssl(wsi)
        if let tls = unsafe tls, unsafe SSL_is_init_finished(tls) == 0 {
            guard unsafe serviceSocket(visit, wsi, by: [POLLIN]) else { return false }
            return unsafe SSL_is_init_finished(tls) != 0
        }
        if reader.awaitsWritable {
            reader.awaitsWritable = false
            guard unsafe serviceSocket(visit, wsi, by: [POLLOUT]) else { return false }
        }
        return unsafe reader.kept.isEmpty
            ? inspectPending(visit, reader, wsi, tls) : inspectBuffered(visit, reader, wsi, tls)
    }

    /// Inspects the data that the library has taken but not read.
    private func inspectBuffered(
        _ visit: ConnectionRecord, _ reader: HeadReader, _ wsi: OpaquePointer, _ tls: OpaquePointer?
    ) -> Bool {
        let kept = reader.kept
        switch reader.check.read(kept.span) {
        case .malformed:
            unsafe refuse(visit, reader, wsi, tls, UpgradeGate.malformedHeadRefusal)
            return false
        case .unfinished:
            reader.kept = []
            return unsafe serviceSocket(visit, wsi)
        case .whole(let count):
            if reader.check.asksForUpgrade {
                var isAlone = count == kept.count
                if case .bytes = unsafe headWatch.peek(visit.descriptor, tls) { isAlone = false }
                guard isAlone else {
                    unsafe refuse(visit, reader, wsi, tls, UpgradeGate.hasteRefusal)
                    return false
                }
            }
            let before = reader.headsRead
            reader.reset(with: kept.dropFirst(count))
            guard unsafe serviceSocket(visit, wsi) else { return visit.phase == .head }
            // The library did not recognize the head.
            if reader.headsRead == before { unsafe terminate(visit, wsi) }
            return true
        }
    }

    /// Inspects the data that is pending in the socket.
    private func inspectPending(
        _ visit: ConnectionRecord, _ reader: HeadReader, _ wsi: OpaquePointer, _ tls: OpaquePointer?
    ) -> Bool {
        let count: Int
        switch unsafe headWatch.peek(visit.descriptor, tls) {
        case .nothing: return false
        case .end:
            // The library detects the end on its own.
            unsafe serviceSocket(visit, wsi)
            return false
        case .bytes(let waiting): count = waiting
        }
        let looked = reader.inspectedCount
        switch headWatch.read(min(looked, count)..<count, with: &reader.check) {
        case .malformed:
            unsafe refuse(visit, reader, wsi, tls, UpgradeGate.malformedHeadRefusal)
            return false
        case .unfinished:
            // With TLS only one record can be inspected.
            if unsafe tls != nil {
                return unsafe readInspected(visit, reader, wsi, tls, count, of: count)
            }
            reader.inspectedCount = count
            if count >= headWatch.bytesMax || clws_has_ended(visit.descriptor) != 0 {
                unsafe terminate(visit, wsi)
            }
            return false
        case .whole(let more):
            let end = looked + more
            if reader.check.asksForUpgrade, end < count {
                unsafe refuse(visit, reader, wsi, tls, UpgradeGate.hasteRefusal)
                return false
            }
            reader.reset(with: [])
            let before = reader.headsRead
            guard unsafe readInspected(visit, reader, wsi, tls, end, of: count) else {
                return false
            }
            if visit.phase == .head, reader.headsRead == before { unsafe terminate(visit, wsi) }
            return true
        }
    }

    /// Makes the library read the first `wanted` of `count` inspected bytes. It may take more. If
    /// it has taken bytes that were not inspected because they have just arrived, the connection
    /// ends with the answer. Returns whether there may be more to inspect.
    private func readInspected(
        _ visit: ConnectionRecord, _ reader: HeadReader, _ wsi: OpaquePointer,
        _ tls: OpaquePointer?,
        _ wanted: Int, of count: Int
    ) -> Bool {
        let headsRead = reader.headsRead
        var taken = 0
        while taken < wanted {
            let before = unsafe TakenBytes(of: visit.descriptor, tls)
            let isAwaited = unsafe serviceSocket(visit, wsi)
            guard unsafe visit.wsi != nil, !visit.hasEnded else { return false }
            let more = unsafe TakenBytes(of: visit.descriptor, tls).since(before)
            guard let more, taken + more <= count else {
                if visit.phase == .answer {
                    reader.isLastAnswer = true
                } else {
                    unsafe terminate(visit, wsi)
                }
                return false
            }
            taken += more
            if !isAwaited || reader.headsRead != headsRead { break }
            guard more > 0 else { return false }
        }
        guard taken >= wanted else {
            unsafe terminate(visit, wsi)
            return false
        }
        guard visit.phase != .free else { return false }
        if taken > wanted { reader.reset(with: headWatch.copy(wanted..<taken)) }
        return visit.phase == .head
    }

    /// Makes the library read once, and then reports the socket to it as writable. After an answer
    /// the library waits for this report, and without it the library would be woken continuously.
    /// Returns whether a head is still awaited.
    @discardableResult
    private func serviceSocket(
        _ visit: ConnectionRecord, _ wsi: OpaquePointer, by events: [Int32] = [POLLIN, POLLOUT]
    ) -> Bool {
        isServicing = true
        defer { isServicing = false }
        unsafe lws_rx_flow_control(wsi, 1)
        for event in events {
            guard visit.phase == .head else { break }
            var poll = pollfd(
                fd: visit.descriptor, events: Int16(event), revents: Int16(event))
            guard unsafe lws_service_fd(parts.context, &poll) == 0, unsafe visit.wsi != nil else {
                visit.hasEnded = true
                stopWatching(visit)
                processTimeouts()
                return false
            }
        }
        switch visit.phase {
        case .head:
            unsafe lws_rx_flow_control(wsi, 0)
            return true
        case .answer:
            processTimeouts()
            return false
        case .free:
            stopWatching(visit)
            return false
        }
    }

    /// Refuses a head and closes the connection. The library does not receive this head, or only a
    /// part of it.
    private func refuse(
        _ visit: ConnectionRecord, _ reader: HeadReader, _ wsi: OpaquePointer,
        _ tls: OpaquePointer?,
        _ answer: HTTPResponse
    ) {
        if reader.check.asksForUpgrade { handler?.upgradeRefused(status: answer.status) }
        unsafe writeNextPart(of: HTTPExchange(answer, to: RequestHead(), ending: .close), on: wsi)
        unsafe closeAfterRefusal(visit, reader, wsi, tls)
    }

    /// Shuts down writing. Ends the connection when the peer has closed it, or after
    /// `closingSeconds`. Further input is discarded: if data is left in the socket, the kernel
    /// answers it with a reset, which may overtake the answer.
    private func closeAfterRefusal(
        _ visit: ConnectionRecord, _ reader: HeadReader, _ wsi: OpaquePointer, _ tls: OpaquePointer?
    ) {
        reader.isClosing = true
        visit.headDueAt = nil
        _ = headWatch.discard(visit.descriptor)
        if let tls = unsafe tls { unsafe SSL_shutdown(tls) }
        shutdown(visit.descriptor, Int32(SHUT_WR))
        // If the library has buffered data that it must not read, it would request to write
        // continuously.
        guard reader.kept.isEmpty else { return unsafe terminate(visit, wsi) }
        unsafe lws_set_timeout(wsi, PENDING_TIMEOUT_USER_REASON_BASE, Self.closingSeconds)
        processTimeouts()
    }

    private func terminate(_ visit: ConnectionRecord, _ wsi: OpaquePointer) {
        visit.headDueAt = nil
        stopWatching(visit)
        visit.hasEnded = true
        unsafe lws_set_timeout(wsi, PENDING_TIMEOUT_KILLED_BY_PARENT, LWS_TO_KILL_ASYNC)
        processTimeouts()
    }
}
