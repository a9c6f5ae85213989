internal import Foundation

/// Waits until all threads are asleep in twenty successive readings. Each thread is given by its
/// `stat` file in procfs. Returns false if they are not asleep within a minute (see `patience`).
///
/// A spinning thread is always running or runnable, however slow the machine is. CPU time would be
/// less reliable.
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
    // The state follows the name, which is in parentheses. A thread that has ended counts as
    // asleep.
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return true }
    return text.split(separator: ")").last?.dropFirst().first == "S"
}
