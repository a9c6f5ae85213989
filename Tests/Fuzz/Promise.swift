/// Ends the process with the text `promise` if the promise is broken. The process traps, so
/// libFuzzer stores the input.
func require(_ isKept: Bool, _ promise: @autoclosure () -> String) {
    if !isKept { fatalError("broken: \(promise())") }
}
