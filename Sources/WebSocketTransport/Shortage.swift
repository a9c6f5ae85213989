import Glibc

/// Why a connection that waits could not be accepted.
package enum Shortage: String, CaseIterable, Hashable, Sendable {
    /// The process, or the machine, has as many files open as it may.
    case files
    /// The kernel has no memory for another socket.
    case memory

    /// Of accept(2); nil: nothing that another try at once could not mend.
    init?(errno: Int32) {
        switch errno {
        case EMFILE, ENFILE: self = .files
        case ENOBUFS, ENOMEM: self = .memory
        default: return nil
        }
    }
}
