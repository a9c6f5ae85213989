/// How far a run is, for whoever watches it.
package struct LoadProgress: Hashable, Sendable {
    /// One target, since it was last told.
    package struct Target: Hashable, Sendable {
        package var connections: Int
        package var messagesPerSecond: Int
        /// Microseconds, of all that was measured so far; nil before.
        package var p50: UInt64?
        package var p99: UInt64?
        package var troubles: Int
    }

    /// Nil: it is over.
    package var stage: LoadRun.Stage?
    /// How many seconds of the stage are over, of how many at most.
    package var seconds: Double
    package var of: Double
    package var targets: [Target]

    /// In one line.
    package var text: String {
        let stage =
            switch stage {
            case .connecting: "connecting"
            case .warmingUp: "warming up"
            case .measuring: "\(Int(seconds)) of \(Int(of.rounded())) s"
            case .ending: "waiting for the last answers"
            case nil: ""
            }
        let shown = targets.map { target in
            var text = "\(target.connections) connections, \(target.messagesPerSecond) messages/s"
            if let p50 = target.p50, let p99 = target.p99 {
                text += ", p50 \(LoadFindings.time(p50)), p99 \(LoadFindings.time(p99))"
            }
            if target.troubles > 0 { text += ", \(target.troubles) troubles" }
            return text
        }
        return ([stage] + shown).joined(separator: "  |  ")
    }
}
