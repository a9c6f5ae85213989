internal import CZlib

/// Compresses and decompresses in one call, with a dictionary that both sides have, or without one.
/// Source: RFC 1951.
package enum Deflate {
    /// Returns the compressed bytes. Returns nil only if memory has run out. `level`: 1 (fastest)
    /// to 9 (smallest), or -1 for the default.
    package static func deflated(
        _ bytes: [UInt8], dictionary: [UInt8] = [], level: Int32 = -1
    ) -> [UInt8]? {
        // Incompressible data grows by five bytes for each 16 KiB.
        let capacity = bytes.count + bytes.count / 1024 + 64
        return unsafe filled(capacity) { out in
            unsafe czlib_deflate(
                bytes, UInt32(bytes.count), dictionary, UInt32(dictionary.count), level,
                out.baseAddress, UInt32(out.count))
        }
    }

    /// Returns the decompressed bytes. Returns nil if `bytes` are not one complete deflated text,
    /// or if that text has more than `count` bytes. The function never allocates more than `count`
    /// bytes.
    package static func inflated(
        _ bytes: ArraySlice<UInt8>, dictionary: [UInt8] = [], most count: Int
    ) -> [UInt8]? {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe filled(count) { out in
                unsafe czlib_inflate(
                    bytes.baseAddress, UInt32(bytes.count), dictionary, UInt32(dictionary.count),
                    out.baseAddress, UInt32(out.count))
            }
        }
    }

    private static func filled(
        _ capacity: Int, by fill: (UnsafeMutableBufferPointer<UInt8>) -> Int
    ) -> [UInt8]? {
        var hasFailed = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { out, count in
            let written = unsafe fill(out)
            hasFailed = written < 0
            count = max(written, 0)
        }
        return hasFailed ? nil : bytes
    }
}
