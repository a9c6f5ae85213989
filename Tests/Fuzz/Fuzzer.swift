import Glibc

/// The target that `FUZZ_TARGET` names.
private let target: FuzzTarget = {
    guard let name = unsafe getenv("FUZZ_TARGET"),
        let target = FuzzTarget(rawValue: unsafe String(cString: name))
    else { fatalError("FUZZ_TARGET names no target; use scripts/fuzz") }
    return target
}()

/// The function that libFuzzer calls with each input.
@c(LLVMFuzzerTestOneInput)
package func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe UnsafeBufferPointer(start: bytes, count: count)
    // The input is copied to memory of its exact size, so that a read beyond its end is detected.
    target.run(unsafe Array(input))
    return 0
}
