/// What tells one state of a file from another, as far as the file system says.
struct FileIdentity: Hashable, Sendable {
    var device: UInt64
    var inode: UInt64
    var size: Int64
    /// Last change of the content, nanoseconds since 1970.
    var modified: Int64
}
