import RefreshProtocol

@testable import RefreshSession
@testable import ScenarioKit

/// The results of many playbacks.
struct LawTally {
    private(set) var differences: [String] = []
    private(set) var mispredictions = 0
    private var frames = 0
    private var sessions = 0
    private var streamMessages = 0
    private var localMessages = 0
    private var streamBytes = 0
    private var localBytes = 0
    private var loads = 0

    mutating func add(_ rehearsal: LawPreviewPlayback) {
        sessions += 1
        frames += rehearsal.frames
        if let difference = rehearsal.difference { differences.append(difference) }
        let wrong = rehearsal.local.metrics.snapshot.mispredictions
        mispredictions += wrong
        if wrong > 0 { differences.append("seed \(rehearsal.seed): \(wrong) mispredicted") }
        streamMessages += rehearsal.stream.messagesSent
        localMessages += rehearsal.local.messagesSent
        streamBytes += rehearsal.stream.bytesSent + rehearsal.stream.bytesReceived
        localBytes += rehearsal.local.bytesSent + rehearsal.local.bytesReceived
        loads += rehearsal.stream.log.count
    }

    var summary: String {
        """
        \(sessions) sessions, \(frames) frames compared, \(loads) steps of loads; \
        messages \(streamMessages) and \(localMessages), bytes \(streamBytes) and \(localBytes); \
        \(mispredictions) mispredicted, \(differences.count) differences
        """
    }
}
