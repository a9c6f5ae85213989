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

    mutating func add(_ playback: LawPreviewPlayback) {
        sessions += 1
        frames += playback.frames
        if let difference = playback.difference { differences.append(difference) }
        let wrong = playback.local.metrics.snapshot.mispredictions
        mispredictions += wrong
        if wrong > 0 { differences.append("seed \(playback.seed): \(wrong) mispredicted") }
        streamMessages += playback.stream.messagesSent
        localMessages += playback.local.messagesSent
        streamBytes += playback.stream.bytesSent + playback.stream.bytesReceived
        localBytes += playback.local.bytesSent + playback.local.bytesReceived
        loads += playback.stream.log.count
    }

    var summary: String {
        """
        \(sessions) sessions, \(frames) frames compared, \(loads) steps of loads; \
        messages \(streamMessages) and \(localMessages), bytes \(streamBytes) and \(localBytes); \
        \(mispredictions) mispredicted, \(differences.count) differences
        """
    }
}
