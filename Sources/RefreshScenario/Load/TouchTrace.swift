internal import TouchTraces

/// A journal of one gesture, recorded from a browser. Source: docs/journal.md, "Traces".
package struct TouchTrace: Hashable, Sendable {
    /// What the hand did, and which kind of client told of it: `slow-pull.stream`.
    package let name: String
    /// The journal.
    package let bytes: [UInt8]

    package init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    /// Those that are built in, in the order of their names.
    package static let all: [TouchTrace] = (0..<touch_trace_count()).map { index in
        let trace = unsafe touch_trace_at(index)
        return unsafe TouchTrace(
            name: String(cString: trace.name),
            bytes: Array(UnsafeBufferPointer(start: trace.bytes, count: trace.count)))
    }
}
