import CLWS
import Glibc

// The loop inspects request heads before libwebsockets reads them. There are four reasons.
// libwebsockets accepts heads that HTTP forbids. It hides headers that follow a malformed line. It
// does not report an incomplete head. If libwebsockets has read data after the head of an upgrade,
// its answer to the upgrade overwrites this data. While a head is awaited, the loop therefore keeps
// libwebsockets from reading on its own (`lws_rx_flow_control`). The loop inspects the data, and
// then makes libwebsockets read exactly this data (`readInspected`).
//
//     accept -> watchHeads -> inspectHead -> HeadCheck -> readInspected -> request or upgrade
//                   ^----------------------------- watchNextHead <-----------'
//
// See docs/decisions/0015-heads-are-looked-at-first.md.
extension EventLoop {
    /// The maximum number of consecutive inspections of one connection before other connections are
    /// served.
    private static let inspectionsInARowMax = 16
    /// The time in seconds within which a peer must close the connection after a refusal.
    private static let closingSeconds: Int32 = 2

    /// Starts the inspection of heads, which lasts until the connection is upgraded or ends.
    func watchHeads(of record: ConnectionRecord) {
        guard let wsi = unsafe record.wsi else { return }
        unsafe lws_rx_flow_control(wsi, 0)
        watched[record.descriptor] = record
        headWatch.startWatching(record.descriptor)
    }

    /// Called after an answer. Stops libwebsockets from reading on its own, so that the loop can
    /// inspect the next head first.
    func watchNextHead(of record: ConnectionRecord) {
        guard let wsi = unsafe record.wsi, record.phase != .free else { return }
        record.phase = .head
        if isServicing { return }
        unsafe lws_rx_flow_control(wsi, 0)
        record.reader?.awaitsWritable = true
        headWatch.rearm(record.descriptor)
    }

    /// Ends the inspection. After this call libwebsockets reads on its own.
    func stopWatching(_ record: ConnectionRecord) {
        record.phase = .free
        endInspection(of: record)
    }

    private func endInspection(of record: ConnectionRecord) {
        record.reader = nil
        guard watched[record.descriptor] === record else { return }
        watched[record.descriptor] = nil
        headWatch.stopWatching(record.descriptor)
    }

    /// Handles an event on a socket whose head is awaited.
    func inspectHead(on descriptor: Int32) {
        checkThread()
        guard let record = watched[descriptor] else { return }
        for _ in 0..<Self.inspectionsInARowMax {
            guard record.phase == .head, let wsi = unsafe record.wsi, let reader = record.reader
            else { return }
            guard unsafe inspect(record, reader, wsi) else { return }
        }
        headWatch.rearm(descriptor)
    }

    /// Inspects the connection once. Returns true if more data can be ready to inspect.
    private func inspect(_ record: ConnectionRecord, _ reader: HeadReader, _ wsi: OpaquePointer)
        -> Bool
    {
        if reader.isClosing {
            if !headWatch.discard(record.descriptor) { unsafe terminate(record, wsi) }
            return false
        }
        let tls = unsafe lws_get_ssl(wsi)
        if let tls = unsafe tls, unsafe SSL_is_init_finished(tls) == 0 {
            guard unsafe serviceSocket(record, wsi, by: [POLLIN]) else { return false }
            return unsafe SSL_is_init_finished(tls) != 0
        }
        if reader.awaitsWritable {
            reader.awaitsWritable = false
            guard unsafe serviceSocket(record, wsi, by: [POLLOUT]) else { return false }
        }
        return unsafe reader.kept.isEmpty
            ? inspectPending(record, reader, wsi, tls) : inspectBuffered(record, reader, wsi, tls)
    }

    /// Inspects the data that libwebsockets has taken from the socket but not parsed yet.
    private func inspectBuffered(
        _ record: ConnectionRecord, _ reader: HeadReader, _ wsi: OpaquePointer,
        _ tls: OpaquePointer?
    ) -> Bool {
        let kept = reader.kept
        switch reader.check.read(kept.span) {
        case .malformed:
            unsafe refuse(record, reader, wsi, tls, UpgradeGate.malformedHeadRefusal)
            return false
        case .unfinished:
            reader.kept = []
            return unsafe serviceSocket(record, wsi)
        case .whole(let count):
            if reader.check.asksForUpgrade {
                var isAlone = count == kept.count
                if case .bytes = unsafe headWatch.peek(record.descriptor, tls) { isAlone = false }
                guard isAlone else {
                    unsafe refuse(record, reader, wsi, tls, UpgradeGate.hasteRefusal)
                    return false
                }
            }
            let before = reader.headsRead
            reader.reset(with: kept.dropFirst(count))
            reader.isBuffered = true
            defer { reader.isBuffered = false }
            guard unsafe serviceSocket(record, wsi) else { return record.phase == .head }
            // libwebsockets did not recognize the head.
            if reader.headsRead == before { unsafe terminate(record, wsi) }
            return true
        }
    }

    /// Inspects the data that is pending in the socket.
    private func inspectPending(
        _ record: ConnectionRecord, _ reader: HeadReader, _ wsi: OpaquePointer,
        _ tls: OpaquePointer?
    ) -> Bool {
        let count: Int
        switch unsafe headWatch.peek(record.descriptor, tls) {
        case .nothing: return false
        case .end:
            // libwebsockets detects the end of the connection when it reads.
            unsafe serviceSocket(record, wsi)
            return false
        case .bytes(let waiting): count = waiting
        }
        let inspected = reader.inspectedCount
        switch headWatch.read(min(inspected, count)..<count, with: &reader.check) {
        case .malformed:
            unsafe refuse(record, reader, wsi, tls, UpgradeGate.malformedHeadRefusal)
            return false
        case .unfinished:
            // With TLS, the loop can inspect only one TLS record at a time, so libwebsockets must
            // read this record before the next one can be inspected.
            if unsafe tls != nil {
                return unsafe readInspected(record, reader, wsi, tls, count, of: count)
            }
            reader.inspectedCount = count
            if count >= headWatch.bytesMax || clws_has_ended(record.descriptor) != 0 {
                unsafe terminate(record, wsi)
            }
            return false
        case .whole(let more):
            let end = inspected + more
            if reader.check.asksForUpgrade, end < count {
                unsafe refuse(record, reader, wsi, tls, UpgradeGate.hasteRefusal)
                return false
            }
            reader.reset(with: [])
            let before = reader.headsRead
            guard unsafe readInspected(record, reader, wsi, tls, end, of: count) else {
                return false
            }
            if record.phase == .head, reader.headsRead == before { unsafe terminate(record, wsi) }
            return true
        }
    }

    /// Makes libwebsockets read the first `needed` of `count` inspected bytes. libwebsockets can
    /// take more than these bytes. If it has taken bytes that arrived after the inspection, the
    /// connection ends after the answer. Returns true if more data can be ready to inspect.
    private func readInspected(
        _ record: ConnectionRecord, _ reader: HeadReader, _ wsi: OpaquePointer,
        _ tls: OpaquePointer?,
        _ needed: Int, of count: Int
    ) -> Bool {
        let headsRead = reader.headsRead
        var taken = 0
        while taken < needed {
            let before = unsafe TakenBytes(of: record.descriptor, tls)
            let isAwaited = unsafe serviceSocket(record, wsi)
            // Bytes that were not inspected may belong to a body.
            guard unsafe record.wsi != nil, !record.hasEnded, record.phase != .body else {
                return false
            }
            let more = unsafe TakenBytes(of: record.descriptor, tls).since(before)
            guard let more, taken + more <= count else {
                if record.phase == .answer {
                    reader.isLastAnswer = true
                } else {
                    unsafe terminate(record, wsi)
                }
                return false
            }
            taken += more
            if !isAwaited || reader.headsRead != headsRead { break }
            guard more > 0 else { return false }
        }
        guard taken >= needed else {
            unsafe terminate(record, wsi)
            return false
        }
        guard record.phase != .free else { return false }
        if taken > needed { reader.reset(with: headWatch.copy(needed..<taken)) }
        return record.phase == .head
    }

    /// Makes libwebsockets read once, and then reports the socket to it as writable. After an
    /// answer, libwebsockets waits for this report. Without the report, libwebsockets would be
    /// woken continuously. Returns whether a head is still awaited.
    @discardableResult
    private func serviceSocket(
        _ record: ConnectionRecord, _ wsi: OpaquePointer, by events: [Int32] = [POLLIN, POLLOUT]
    ) -> Bool {
        isServicing = true
        defer { isServicing = false }
        unsafe lws_rx_flow_control(wsi, 1)
        for event in events {
            guard record.phase == .head else { break }
            var poll = pollfd(
                fd: record.descriptor, events: Int16(event), revents: Int16(event))
            guard unsafe lws_service_fd(parts.context, &poll) == 0, unsafe record.wsi != nil else {
                record.hasEnded = true
                stopWatching(record)
                processTimeouts()
                return false
            }
        }
        switch record.phase {
        case .head:
            unsafe lws_rx_flow_control(wsi, 0)
            return true
        case .body:
            endInspection(of: record)
            // Makes libwebsockets read what TLS has already taken from the socket.
            processTimeouts()
            return false
        case .answer:
            processTimeouts()
            return false
        case .free:
            stopWatching(record)
            return false
        }
    }

    /// Refuses a head and closes the connection. libwebsockets receives at most a part of this
    /// head.
    private func refuse(
        _ record: ConnectionRecord, _ reader: HeadReader, _ wsi: OpaquePointer,
        _ tls: OpaquePointer?,
        _ answer: HTTPResponse
    ) {
        if reader.check.asksForUpgrade { handler?.upgradeRefused(status: answer.status) }
        unsafe writeNextPart(of: HTTPExchange(answer, to: RequestHead(), ending: .close), on: wsi)
        unsafe closeAfterRefusal(record, reader, wsi, tls)
    }

    /// Shuts down writing. The connection ends when the peer has closed it, or after
    /// `closingSeconds`. Further input is discarded. If data were left in the socket, the kernel
    /// would send a reset, which could arrive before the answer.
    private func closeAfterRefusal(
        _ record: ConnectionRecord, _ reader: HeadReader, _ wsi: OpaquePointer,
        _ tls: OpaquePointer?
    ) {
        reader.isClosing = true
        record.headDueAt = nil
        _ = headWatch.discard(record.descriptor)
        if let tls = unsafe tls { unsafe SSL_shutdown(tls) }
        shutdown(record.descriptor, Int32(SHUT_WR))
        // If libwebsockets has buffered data that it must not read, it would continuously request
        // to be woken as writable.
        guard reader.kept.isEmpty else { return unsafe terminate(record, wsi) }
        unsafe lws_set_timeout(wsi, PENDING_TIMEOUT_USER_REASON_BASE, Self.closingSeconds)
        processTimeouts()
    }

    private func terminate(_ record: ConnectionRecord, _ wsi: OpaquePointer) {
        record.headDueAt = nil
        stopWatching(record)
        record.hasEnded = true
        unsafe lws_set_timeout(wsi, PENDING_TIMEOUT_KILLED_BY_PARENT, LWS_TO_KILL_ASYNC)
        processTimeouts()
    }
}
