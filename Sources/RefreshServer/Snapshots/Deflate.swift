internal import CZlib

/// Compression in one go, by a dictionary that both sides have, or none: RFC 1951.
package enum Deflate {
    /// Nil only where memory has run out.
    package static func deflated(_ bytes: [UInt8], dictionary: [UInt8] = []) -> [UInt8]? {
        // What cannot be compressed grows by five bytes in each 16 KiB.
        let capacity = bytes.count + bytes.count / 1024 + 64
        return unsafe filled(capacity) { out in
            unsafe czlib_deflate(
                bytes, UInt32(bytes.count), dictionary, UInt32(dictionary.count), out.baseAddress,
                UInt32(out.count))
        }
    }

    /// Nil if `bytes` are not one whole deflated text, or it has more than `count` bytes: no more
    /// is ever made.
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
