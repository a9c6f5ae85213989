internal import Foundation
internal import ScenarioKit
internal import TouchTraces

/// A journal of one gesture, recorded from a browser. Source: docs/journal.md, "Traces".
package struct TouchTrace: Hashable, Sendable {
    /// The name, such as `slow-pull.stream`. It consists of the gesture and the mode of the client
    /// that recorded it.
    package let name: String
    /// The journal.
    package let bytes: [UInt8]

    package init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    /// The built-in traces, in the order of their names.
    package static let all: [TouchTrace] = (0..<touch_trace_count()).map { index in
        let trace = unsafe touch_trace_at(index)
        return unsafe TouchTrace(
            name: String(cString: trace.name),
            bytes: Array(UnsafeBufferPointer(start: trace.bytes, count: trace.count)))
    }

    /// Reads the journal in a file.
    ///
    /// - Throws: `LoadGesture.Unusable` if it cannot be read.
    package init(file: String) throws(LoadGesture.Unusable) {
        do {
            let data = try Data(contentsOf: URL(fileURLWithPath: file))
            self.init(name: file, bytes: Array(data))
        } catch {
            throw LoadGesture.Unusable(description: "\(file): \(error.localizedDescription)")
        }
    }

    /// Returns the traces whose names match one of the patterns. If there are no patterns, returns
    /// the traces of `stream` clients, because these clients send all samples of a finger.
    package static func builtIn(matching patterns: [String]) -> [TouchTrace] {
        guard !patterns.isEmpty else { return all.filter { $0.name.hasSuffix(".stream") } }
        return all.filter { trace in
            patterns.contains { Wildcard.matches(trace.name, form: $0) }
        }
    }
}
