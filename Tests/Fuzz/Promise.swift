/// Ends the process with `promise` if it is broken. The process traps, so libFuzzer keeps the
/// input.
func require(_ isKept: Bool, _ promise: @autoclosure () -> String) {
    if !isKept { fatalError("broken: \(promise())") }
}
