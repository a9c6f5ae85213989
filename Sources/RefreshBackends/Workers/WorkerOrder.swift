package import RefreshBroker
internal import RefreshProtocol

/// A message from the daemon to a worker. Source: docs/backends.md, "The line protocol".
package enum WorkerOrder {
    /// `id` is the identity of the load for this worker. `attempt` is the `attempt` of the
    /// `BackendCall`, and one more for each other worker that may have received the load before.
    case load(BackendCall, id: CallID, attempt: Int, remainingMs: Int)
    /// An edit, with the arguments of a load.
    case edit(EditCall, id: CallID, attempt: Int, remainingMs: Int)
    case cancel(CallID)
    case registered(worker: String, heartbeatMs: Int)
    case bye

    /// The JSON form. It contains no line feed, not even at the end.
    package var text: [UInt8] {
        var out = ByteBuffer(capacity: 256)
        switch self {
        case .load(let call, let id, let attempt, let remainingMs):
            Self.write(call, id, attempt, remainingMs, into: &out)
        case .edit(let call, let id, let attempt, let remainingMs):
            Self.write(call, id, attempt, remainingMs, into: &out)
        case .cancel(let id):
            out.append(literal: #"{"type":"cancel","id":"#)
            out.appendQuoted(id.wire)
        case .registered(let worker, let heartbeatMs):
            out.append(literal: #"{"type":"registered","worker":"#)
            out.appendQuoted(worker)
            out.append(literal: #","heartbeatMs":"#)
            out.append(heartbeatMs)
        case .bye:
            out.append(literal: #"{"type":"bye""#)
        }
        out.append(UInt8(ascii: "}"))
        return out.bytes
    }

    /// Writes the members that loads and edits have first.
    private static func begin(
        _ type: String, _ id: CallID, _ key: String, _ attempt: Int, _ remainingMs: Int,
        of feed: String, into out: inout ByteBuffer
    ) {
        out.append(literal: #"{"type":"#)
        out.appendQuoted(type)
        out.append(literal: #","id":"#)
        out.appendQuoted(id.wire)
        out.append(literal: #","key":"#)
        out.appendQuoted(key)
        out.append(literal: #","attempt":"#)
        out.append(attempt)
        out.append(literal: #","deadlineMs":"#)
        out.append(remainingMs)
        out.append(literal: #","feed":"#)
        out.appendQuoted(feed)
    }

    private static func write(
        _ call: BackendCall, _ id: CallID, _ attempt: Int, _ remainingMs: Int,
        into out: inout ByteBuffer
    ) {
        let request = call.request
        begin("load", id, call.idempotencyKey, attempt, remainingMs, of: request.feed, into: &out)
        out.append(literal: #","kind":"#)
        out.appendQuoted(request.kind.rawValue)
        out.append(literal: #","trigger":"#)
        out.appendQuoted(request.trigger.rawValue)
        out.append(literal: #","page":"#)
        out.append(request.page)
        out.append(literal: #","offset":"#)
        out.append(request.offset)
        out.append(literal: #","size":"#)
        out.append(request.size)
        if let cursor = request.cursor {
            out.append(literal: #","cursor":"#)
            out.appendQuoted(cursor)
        }
        write(request.parameters, request.headers, request.subject, into: &out)
    }

    private static func write(
        _ call: EditCall, _ id: CallID, _ attempt: Int, _ remainingMs: Int,
        into out: inout ByteBuffer
    ) {
        let request = call.request
        begin(
            "edit", id, request.idempotencyKey, attempt, remainingMs, of: request.feed, into: &out)
        out.append(literal: #","operation":"#)
        request.operation.append(to: &out)
        write(request.parameters, request.headers, request.subject, into: &out)
    }

    private static func write(
        _ parameters: [LoadParameter], _ headers: [HeaderField], _ subject: String?,
        into out: inout ByteBuffer
    ) {
        if !parameters.isEmpty {
            out.append(literal: #","parameters":"#)
            out.append(parameters)
        }
        if !headers.isEmpty { write(headers, into: &out) }
        if let subject {
            out.append(literal: #","subject":"#)
            out.appendQuoted(subject)
        }
    }

    private static func write(_ headers: [HeaderField], into out: inout ByteBuffer) {
        out.append(literal: #","headers":{"#)
        for (index, header) in headers.enumerated() {
            if index > 0 { out.append(UInt8(ascii: ",")) }
            out.appendQuoted(header.name)
            out.append(UInt8(ascii: ":"))
            out.appendQuoted(header.value)
        }
        out.append(UInt8(ascii: "}"))
    }
}
