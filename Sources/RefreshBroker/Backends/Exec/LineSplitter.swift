internal import Glibc

/// Cuts what a process writes into lines; holds one line's beginning and what came with it.
struct LineSplitter {
    private let lineBytesMax: Int
    private var bytes: [UInt8] = []
    /// Where the next line begins.
    private var start = 0
    /// Up to where there is no line feed, from `start` on.
    private var searched = 0

    init(lineBytesMax: Int) { self.lineBytesMax = lineBytesMax }

    /// What is to be done with what was written.
    enum Piece: Equatable {
        /// A line, without its line feed, in what `withBytes` shows.
        case line(Range<Int>)
        /// A line that is longer than allowed, at least so much of it.
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

    /// The next line; nil: its end has not come yet.
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

    /// The bytes that ranges of `next` are of; valid until the next `append`.
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
