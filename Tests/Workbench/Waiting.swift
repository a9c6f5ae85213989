/// Waits for another thread to make `condition` true; false if it has not within a minute (see
/// `patience`).
package func becomesTrue(
    within time: Duration = .patient, _ condition: () throws -> Bool
) async rethrows -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + time
    while clock.now < end {
        if try condition() { return true }
        try? await Task.sleep(for: .milliseconds(1))
    }
    return try condition()
}
