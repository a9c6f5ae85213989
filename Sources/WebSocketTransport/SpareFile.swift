import Glibc

/// An open file that is kept for the moment in which no other can be opened: it is given up to accept
/// one connection, which is told so.
final class SpareFile {
    private var descriptor: Int32 = -1

    init() { take() }

    deinit { _ = give() }

    /// Whether there is one to give up.
    var isHeld: Bool { descriptor >= 0 }

    /// Opens it, unless it is open; it stays closed when nothing can be opened.
    func take() {
        if !isHeld { descriptor = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC) }
    }

    /// Closes it; false when it was not open.
    func give() -> Bool {
        guard isHeld else { return false }
        close(descriptor)
        descriptor = -1
        return true
    }
}
