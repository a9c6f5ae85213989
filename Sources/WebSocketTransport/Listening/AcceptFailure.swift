import Glibc

/// The reason why a pending connection could not be accepted.
package enum AcceptFailure: String, CaseIterable, Hashable, Sendable {
    /// The process, or the machine, has reached its limit of open files.
    case files
    /// The kernel has no memory for another socket.
    case memory

    /// Translates an error of accept(2). Returns nil if an immediate retry could succeed.
    init?(errno: Int32) {
        switch errno {
        case EMFILE, ENFILE: self = .files
        case ENOBUFS, ENOMEM: self = .memory
        default: return nil
        }
    }
}
