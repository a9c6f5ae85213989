internal import Glibc

/// Splits the output of a process into lines. It buffers one incomplete line and the data that
/// arrived with it.
struct LineSplitter {
    private let lineBytesMax: Int
    private var bytes: [UInt8] = []
    /// The start of the next line.
    private var start = 0
    /// The position up to which the output was searched. There is no line feed between `start` and
    /// this position.
    private var searched = 0

    init(lineBytesMax: Int) { self.lineBytesMax = lineBytesMax }

    /// The next part of the output.
    enum Piece: Equatable {
        /// A line without its line feed. The range refers to `span`.
        case line(Range<Int>)
        /// The beginning of a line that exceeds the limit.
        case tooLong(Range<Int>)
    }

    mutating func append(_ chunk: UnsafeRawBufferPointer) {
        if start == bytes.count {
            bytes.removeAll(keepingCapacity: bytes.capacity <= 262_144)
        } else if start > 0 {
            bytes.removeFirst(start)
        }
        searched -= start
        start = 0
        unsafe bytes.append(contentsOf: chunk)
    }

    /// Returns the next line, or nil if its end has not arrived yet.
    mutating func next() -> Piece? {
        guard let end = lineFeed() else {
            searched = bytes.count
            guard bytes.count - start > lineBytesMax else { return nil }
            return .tooLong(start..<start + lineBytesMax)
        }
        let line = start..<end
        start = end + 1
        searched = start
        guard line.count <= lineBytesMax else {
            return .tooLong(line.lowerBound..<line.lowerBound + lineBytesMax)
        }
        return .line(line)
    }

    /// The bytes to which the ranges of `next` refer. They are valid until the next `append`.
    var span: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { bytes.span }
    }

    private func lineFeed() -> Int? {
        unsafe bytes.withUnsafeBytes { all in
            guard let base = all.baseAddress, searched < all.count,
                let found = unsafe memchr(
                    base + searched, Int32(UInt8(ascii: "\n")), all.count - searched)
            else { return nil }
            return unsafe UnsafeRawPointer(found) - base
        }
    }
}
