import Glibc

/// The target that `FUZZ_TARGET` names.
private let target: FuzzTarget = {
    guard let name = unsafe getenv("FUZZ_TARGET"),
        let target = FuzzTarget(rawValue: unsafe String(cString: name))
    else { fatalError("FUZZ_TARGET names no target; use scripts/fuzz") }
    return target
}()

/// What libFuzzer calls with each of its inputs.
@c(LLVMFuzzerTestOneInput)
package func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe UnsafeBufferPointer(start: bytes, count: count)
    // A copy of just its length: to read beyond it is found out.
    target.run(unsafe Array(input))
    return 0
}
