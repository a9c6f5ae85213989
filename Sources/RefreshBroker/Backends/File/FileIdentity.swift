/// The metadata that distinguishes one state of a file from another, as far as the file system
/// provides it.
struct FileIdentity: Hashable, Sendable {
    var device: UInt64
    var inode: UInt64
    var size: Int64
    /// The last modification of the contents, in nanoseconds since 1970.
    var modified: Int64
}
