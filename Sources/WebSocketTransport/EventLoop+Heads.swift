import CLWS
import Glibc

// Heads are looked at before the library reads them. The library is laxer than HTTP, hides headers
// from us where a line is malformed, tells nothing of a head that is not whole, and writes the
// answer to an upgrade over what it has read behind one. So as long as a head is awaited the
// library may not read by itself (`lws_rx_flow_control`): what has come is looked at, and then the
// library is made to read just that (`drive`).
//
//     accept -> watchHeads -> lookAtHead -> HeadCheck -> drive -> answer or judgeUpgrade
//                   ^------------------------ watchNextHead <----------'
//
// See docs/decisions/0015-heads-are-looked-at-first.md.
extension EventLoop {
    /// How often one connection is looked at before others get their turn.
    private static let looksInARowMax = 16
    /// Seconds that a peer has to end the connection.
    private static let partingSeconds: Int32 = 2

    /// Has heads be looked at, from now on until the connection turns into something else.
    func watchHeads(of visit: Visit) {
        guard let wsi = unsafe visit.wsi else { return }
        unsafe lws_rx_flow_control(wsi, 0)
        watched[visit.descriptor] = visit
        headWatch.begin(visit.descriptor)
    }

    /// After an answer: the library reads no more by itself.
    func watchNextHead(of visit: Visit) {
        guard let wsi = unsafe visit.wsi, visit.phase != .free else { return }
        visit.phase = .head
        if isDriving { return }
        unsafe lws_rx_flow_control(wsi, 0)
        visit.reader?.isUnsettled = true
        headWatch.again(visit.descriptor)
    }

    /// Leaves it all to the library.
    func stopWatching(_ visit: Visit) {
        visit.phase = .free
        visit.reader = nil
        guard watched[visit.descriptor] === visit else { return }
        watched[visit.descriptor] = nil
        headWatch.end(visit.descriptor)
    }

    /// Something has happened on a socket.
    func lookAtHead(on descriptor: Int32) {
        checkThread()
        guard let visit = watched[descriptor] else { return }
        for _ in 0..<Self.looksInARowMax {
            guard visit.phase == .head, let wsi = unsafe visit.wsi, let reader = visit.reader
            else { return }
            guard unsafe look(visit, reader, wsi) else { return }
        }
        headWatch.again(descriptor)
    }

    /// Whether there may be more to look at.
    private func look(_ visit: Visit, _ reader: HeadReader, _ wsi: OpaquePointer) -> Bool {
        if reader.isParting {
            if !headWatch.discard(visit.descriptor) { unsafe cut(visit, wsi) }
            return false
        }
        let tls = unsafe lws_get_ssl(wsi)
        if let tls = unsafe tls, unsafe SSL_is_init_finished(tls) == 0 {
            guard unsafe drive(visit, wsi, by: [POLLIN]) else { return false }
            return unsafe SSL_is_init_finished(tls) != 0
        }
        if reader.isUnsettled {
            reader.isUnsettled = false
            guard unsafe drive(visit, wsi, by: [POLLOUT]) else { return false }
        }
        return unsafe reader.kept.isEmpty
            ? lookAtWaiting(visit, reader, wsi, tls) : lookAtKept(visit, reader, wsi, tls)
    }

    /// Looks at what the library has taken, and not read.
    private func lookAtKept(
        _ visit: Visit, _ reader: HeadReader, _ wsi: OpaquePointer, _ tls: OpaquePointer?
    ) -> Bool {
        let kept = reader.kept
        switch reader.check.read(kept.span) {
        case .malformed:
            unsafe refuse(visit, reader, wsi, tls, UpgradeGate.malformedHeadRefusal)
            return false
        case .unfinished:
            reader.kept = []
            return unsafe drive(visit, wsi)
        case .whole(let count):
            if reader.check.asksForUpgrade {
                var isAlone = count == kept.count
                if case .bytes = unsafe headWatch.look(visit.descriptor, tls) { isAlone = false }
                guard isAlone else {
                    unsafe refuse(visit, reader, wsi, tls, UpgradeGate.hasteRefusal)
                    return false
                }
            }
            let before = reader.headsRead
            reader.begin(with: kept.dropFirst(count))
            guard unsafe drive(visit, wsi) else { return visit.phase == .head }
            // A head that the library does not take for one.
            if reader.headsRead == before { unsafe cut(visit, wsi) }
            return true
        }
    }

    /// Looks at what waits in the system.
    private func lookAtWaiting(
        _ visit: Visit, _ reader: HeadReader, _ wsi: OpaquePointer, _ tls: OpaquePointer?
    ) -> Bool {
        let count: Int
        switch unsafe headWatch.look(visit.descriptor, tls) {
        case .nothing: return false
        case .end:
            // The library finds out by itself.
            unsafe drive(visit, wsi)
            return false
        case .bytes(let waiting): count = waiting
        }
        let looked = reader.looked
        switch headWatch.read(min(looked, count)..<count, with: &reader.check) {
        case .malformed:
            unsafe refuse(visit, reader, wsi, tls, UpgradeGate.malformedHeadRefusal)
            return false
        case .unfinished:
            // Of TLS only one record can be looked at.
            if unsafe tls != nil { return unsafe feed(visit, reader, wsi, tls, count, of: count) }
            reader.looked = count
            if count >= headWatch.bytesMax || clws_has_ended(visit.descriptor) != 0 {
                unsafe cut(visit, wsi)
            }
            return false
        case .whole(let more):
            let end = looked + more
            if reader.check.asksForUpgrade, end < count {
                unsafe refuse(visit, reader, wsi, tls, UpgradeGate.hasteRefusal)
                return false
            }
            reader.begin(with: [])
            let before = reader.headsRead
            guard unsafe feed(visit, reader, wsi, tls, end, of: count) else { return false }
            if visit.phase == .head, reader.headsRead == before { unsafe cut(visit, wsi) }
            return true
        }
    }

    /// Has the library read the first `wanted` of `count` bytes that were looked at. It may take
    /// more; if it has taken what was not looked at, because that has come just now, the connection
    /// ends with the answer. Whether there may be more to look at.
    private func feed(
        _ visit: Visit, _ reader: HeadReader, _ wsi: OpaquePointer, _ tls: OpaquePointer?,
        _ wanted: Int, of count: Int
    ) -> Bool {
        let headsRead = reader.headsRead
        var taken = 0
        while taken < wanted {
            let before = unsafe TakenBytes(of: visit.descriptor, tls)
            let isAwaited = unsafe drive(visit, wsi)
            guard unsafe visit.wsi != nil, !visit.hasEnded else { return false }
            let more = unsafe TakenBytes(of: visit.descriptor, tls).since(before)
            guard let more, taken + more <= count else {
                if visit.phase == .answer { reader.isOver = true } else { unsafe cut(visit, wsi) }
                return false
            }
            taken += more
            if !isAwaited || reader.headsRead != headsRead { break }
            guard more > 0 else { return false }
        }
        guard taken >= wanted else {
            unsafe cut(visit, wsi)
            return false
        }
        guard visit.phase != .free else { return false }
        if taken > wanted { reader.begin(with: headWatch.copy(wanted..<taken)) }
        return visit.phase == .head
    }

    /// Has the library read, once, and then reports to it that the socket can be written: after an
    /// answer it waits for that, and would be woken without end. Whether a head is still awaited.
    @discardableResult
    private func drive(
        _ visit: Visit, _ wsi: OpaquePointer, by events: [Int32] = [POLLIN, POLLOUT]
    ) -> Bool {
        isDriving = true
        defer { isDriving = false }
        unsafe lws_rx_flow_control(wsi, 1)
        for event in events {
            guard visit.phase == .head else { break }
            var poll = pollfd(
                fd: visit.descriptor, events: Int16(event), revents: Int16(event))
            guard unsafe lws_service_fd(parts.context, &poll) == 0, unsafe visit.wsi != nil else {
                visit.hasEnded = true
                stopWatching(visit)
                lookAtTimeouts()
                return false
            }
        }
        switch visit.phase {
        case .head:
            unsafe lws_rx_flow_control(wsi, 0)
            return true
        case .answer:
            lookAtTimeouts()
            return false
        case .free:
            stopWatching(visit)
            return false
        }
    }

    /// Answers a head that the library is not shown, or no more of, and hangs up.
    private func refuse(
        _ visit: Visit, _ reader: HeadReader, _ wsi: OpaquePointer, _ tls: OpaquePointer?,
        _ answer: HTTPResponse
    ) {
        if reader.check.asksForUpgrade { handler?.refusedUpgrade(status: answer.status) }
        unsafe start(HTTPExchange(answer, to: RequestHead(), ending: .close), on: wsi)
        unsafe hangUp(visit, reader, wsi, tls)
    }

    /// Sends no more, and has the connection end when its peer has taken all, or soon. What still
    /// comes is thrown away: the kernel answers what is left there with a reset, which may overtake
    /// the answer.
    private func hangUp(
        _ visit: Visit, _ reader: HeadReader, _ wsi: OpaquePointer, _ tls: OpaquePointer?
    ) {
        reader.isParting = true
        visit.headDueAt = nil
        _ = headWatch.discard(visit.descriptor)
        if let tls = unsafe tls { unsafe SSL_shutdown(tls) }
        shutdown(visit.descriptor, Int32(SHUT_WR))
        // With something in hand that it may not read the library would ask to write without end.
        guard reader.kept.isEmpty else { return unsafe cut(visit, wsi) }
        unsafe lws_set_timeout(wsi, PENDING_TIMEOUT_USER_REASON_BASE, Self.partingSeconds)
        lookAtTimeouts()
    }

    private func cut(_ visit: Visit, _ wsi: OpaquePointer) {
        visit.headDueAt = nil
        stopWatching(visit)
        visit.hasEnded = true
        unsafe lws_set_timeout(wsi, PENDING_TIMEOUT_KILLED_BY_PARENT, LWS_TO_KILL_ASYNC)
        lookAtTimeouts()
    }
}
