import RefreshIndicator

/// What libFuzzer calls with each of its inputs: the input is path data, right or wrong.
///
/// Whatever it is, reading it must end in a path or in an error at a place of the text; whatever
/// path comes of it must keep `PathProperties`. A broken promise ends the process, and libFuzzer
/// keeps the input.
@c(LLVMFuzzerTestOneInput)
package func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe UnsafeBufferPointer(start: bytes, count: count)
    let text = unsafe String(decoding: input, as: UTF8.self)
    do throws(SVGPathError) {
        var fractions = Fractions(seed: text.utf8)
        PathProperties(try SVGPath(parsing: text)).check(with: &fractions)
    } catch {
        require(
            (0...text.unicodeScalars.count).contains(error.position),
            "an error is at a place of the text")
    }
    return 0
}

/// Ends the process with `promise` if it is broken.
func require(_ isKept: Bool, _ promise: String) {
    if !isKept { fatalError("broken: \(promise)") }
}
