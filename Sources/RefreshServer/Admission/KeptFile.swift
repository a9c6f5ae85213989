internal import Glibc

/// A small file of the kernel's that is read again and again. It is kept open: it has to be read
/// just when nothing can be opened any more.
final class KeptFile: Sendable {
    private let descriptor: Int32

    /// Nil: there is no such file.
    init?(_ path: String) {
        let opened = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { return nil }
        descriptor = opened
    }

    deinit { close(descriptor) }

    /// What it holds now, as far as the first 16 KiB; nil if it cannot be read.
    var text: String? {
        unsafe withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { buffer in
            let count = unsafe pread(descriptor, buffer.baseAddress, buffer.count, 0)
            guard count >= 0 else { return nil }
            return unsafe String(
                decoding: UnsafeRawBufferPointer(rebasing: buffer[..<count]), as: UTF8.self)
        }
    }
}
