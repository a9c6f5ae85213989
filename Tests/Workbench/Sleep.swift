internal import Foundation

/// Whether threads come to sleep, each named by its `stat` of procfs: twenty looks in a row find
/// all of them asleep; false if they have not within a minute (see `patience`).
///
/// One that spins runs, or wants to, however slow the machine is and whatever else it does: CPU
/// time would say less.
package func fallsAsleep(_ threads: @autoclosure () -> [String]) -> Bool {
    var row = 0
    for _ in 0..<12_000 * patience {
        row = threads().allSatisfy(isAsleep) ? row + 1 : 0
        if row == 20 { return true }
        usleep(5_000)
    }
    return false
}

private func isAsleep(_ path: String) -> Bool {
    // Its state stands behind its name, which is in brackets. One that has ended sleeps well.
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return true }
    return text.split(separator: ")").last?.dropFirst().first == "S"
}
