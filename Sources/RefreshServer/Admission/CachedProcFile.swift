internal import Glibc

/// A small file of the kernel, such as one in /proc, that is read repeatedly. The file stays open,
/// because it must be readable even when no more files can be opened.
final class CachedProcFile: Sendable {
    private let descriptor: Int32

    /// Opens the file. Returns nil if it cannot be opened.
    init?(_ path: String) {
        let opened = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { return nil }
        descriptor = opened
    }

    deinit { close(descriptor) }

    /// The first 16 KiB of the file's current content; nil if the file cannot be read.
    var text: String? {
        unsafe withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { buffer in
            let count = unsafe pread(descriptor, buffer.baseAddress, buffer.count, 0)
            guard count >= 0 else { return nil }
            return unsafe String(
                decoding: UnsafeRawBufferPointer(rebasing: buffer[..<count]), as: UTF8.self)
        }
    }
}
