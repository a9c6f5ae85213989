import Dispatch
import Glibc
import Synchronization

/// A name whose look-ups do not end while a test holds them, as of a name server that does not
/// answer; afterwards it is a name of 127.0.0.1.
///
/// The test binary has a `getaddrinfo` of its own, see below, which libcurl finds before the
/// system's.
final class HeldName: Sendable {
    private static let all = Mutex<[String: HeldName]>([:])

    let name: String
    private let gate = DispatchSemaphore(value: 0)
    private let asked = Atomic(0)
    private let isHolding = Atomic(true)
    private let holdsNext = Atomic(true)

    /// So long a look-up is held at most, if whoever holds it waits for it.
    private static let longest = DispatchTimeInterval.seconds(20)

    init(_ name: String) {
        self.name = name
        Self.all.withLock { $0[name] = self }
    }

    /// How many look-ups began.
    var count: Int { asked.load(ordering: .acquiring) }

    /// Whether no look-up that was held has ended.
    var isHeld: Bool { isHolding.load(ordering: .acquiring) }

    /// Those that follow are not held; those that are stay so.
    func answerNext() { holdsNext.store(false, ordering: .releasing) }

    /// Ends those that are held. The name is none of this kind any more.
    func release() {
        Self.all.withLock { $0[name] = nil }
        for _ in 0..<count { gate.signal() }
    }

    fileprivate static func named(_ name: String) -> HeldName? { all.withLock { $0[name] } }

    fileprivate func wait() {
        asked.add(1, ordering: .acquiringAndReleasing)
        guard holdsNext.load(ordering: .acquiring) else { return }
        _ = gate.wait(timeout: .now() + Self.longest)
        isHolding.store(false, ordering: .releasing)
    }
}

private typealias LookUp = @convention(c) (
    UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<addrinfo>?,
    UnsafeMutablePointer<UnsafeMutablePointer<addrinfo>?>?
) -> CInt

/// The C library's, for all names that nobody holds.
@_cdecl("getaddrinfo")
func lookUpUnlessHeld(
    _ name: UnsafePointer<CChar>?, _ service: UnsafePointer<CChar>?,
    _ hints: UnsafePointer<addrinfo>?,
    _ result: UnsafeMutablePointer<UnsafeMutablePointer<addrinfo>?>?
) -> CInt {
    // RTLD_NEXT, which Swift does not import.
    let next = unsafe UnsafeMutableRawPointer(bitPattern: -1)
    guard let found = unsafe dlsym(next, "getaddrinfo") else { return EAI_FAIL }
    let lookUp = unsafe unsafeBitCast(found, to: LookUp.self)
    guard let text = unsafe name, let held = HeldName.named(unsafe String(cString: text)) else {
        return unsafe lookUp(name, service, hints, result)
    }
    held.wait()
    return unsafe lookUp("127.0.0.1", service, hints, result)
}
