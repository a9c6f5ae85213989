/// Ends the process with `promise` if it is broken, as a trap does: libFuzzer keeps the input then.
func require(_ isKept: Bool, _ promise: @autoclosure () -> String) {
    if !isKept { fatalError("broken: \(promise())") }
}
