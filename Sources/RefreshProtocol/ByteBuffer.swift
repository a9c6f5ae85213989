/// A growable buffer for JSON that is written to a socket. After the buffer has grown to the size
/// of the largest text, it does not allocate.
///
/// `headroom` bytes stay free before the first byte. The code that sends the buffer uses them:
/// libwebsockets writes the frame header there.
@safe package struct ByteBuffer: ~Copyable {
    private var storage: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    package let headroom: Int
    package private(set) var count = 0

    package init(headroom: Int = 0, capacity: Int = 1024) {
        self.headroom = headroom
        self.capacity = capacity
        unsafe self.storage = .allocate(capacity: headroom + capacity)
    }

    deinit {
        unsafe storage.deallocate()
    }

    package mutating func removeAll() { count = 0 }

    /// Truncates the buffer to its first `count` bytes.
    @inline(__always)
    package mutating func truncate(to count: Int) { self.count = min(self.count, count) }

    @inline(__always)
    package mutating func append(_ byte: UInt8) {
        if count == capacity { grow(by: 1) }
        unsafe storage[headroom &+ count] = byte
        count &+= 1
    }

    /// Appends literal text of the daemon unchanged, without creating a string.
    @inline(__always)
    package mutating func append(literal text: StaticString) {
        unsafe append(
            UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    package mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { unsafe append($0) }
    }

    package mutating func append(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append($0) }
    }

    @inline(__always)
    package mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        if capacity &- count < bytes.count { grow(by: bytes.count) }
        unsafe (storage + headroom + count).update(from: start, count: bytes.count)
        count &+= bytes.count
    }

    /// Appends a copy of the buffer's own bytes at `range`.
    @inline(__always)
    mutating func append(copyOf range: Range<Int>) {
        if capacity &- count < range.count { grow(by: range.count) }
        let from = unsafe storage + headroom + range.lowerBound
        unsafe (storage + headroom + count).update(from: from, count: range.count)
        count &+= range.count
    }

    /// Appends the bytes that `body` writes. `body` must write at most `bytes` bytes, and returns
    /// the number of bytes that it wrote.
    @inline(__always)
    mutating func appendUninitialized(
        atMost bytes: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int
    ) {
        if capacity &- count < bytes { grow(by: bytes) }
        count &+= unsafe body(storage + headroom + count)
    }

    private mutating func grow(by extra: Int) {
        let larger = max(capacity * 2, count + extra)
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: headroom + larger)
        unsafe (copy + headroom).update(from: storage + headroom, count: count)
        unsafe storage.deallocate()
        unsafe storage = copy
        capacity = larger
    }

    /// The written bytes in place, valid until the buffer changes. The caller may overwrite the
    /// `headroom` bytes before them.
    package var payload: UnsafeMutableBufferPointer<UInt8> {
        unsafe UnsafeMutableBufferPointer(start: storage + headroom, count: count)
    }

    package var bytes: [UInt8] {
        unsafe [UInt8](UnsafeBufferPointer(start: storage + headroom, count: count))
    }
}
