/// Text that is equal only to text with the same bytes.
///
/// Two Swift strings are equal if they have the same characters, even if their bytes differ. For
/// example, "é" can be encoded as one scalar or as two. Code that decides which client receives an
/// answer must not treat such strings as equal.
@propertyWrapper
package struct Bytewise<Text: BytewiseText>: Hashable, Sendable {
    package var wrappedValue: Text

    @inlinable
    package init(wrappedValue: Text) { self.wrappedValue = wrappedValue }

    @inlinable
    package static func == (left: Self, right: Self) -> Bool {
        left.wrappedValue.hasBytes(of: right.wrappedValue)
    }

    @inlinable
    package func hash(into hasher: inout Hasher) { wrappedValue.hashBytes(into: &hasher) }
}

extension Bytewise: Codable where Text: Codable {
    package init(from decoder: any Decoder) throws {
        self.init(wrappedValue: try decoder.singleValueContainer().decode(Text.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

/// Text that can be compared by its bytes.
package protocol BytewiseText: Sendable {
    func hasBytes(of other: Self) -> Bool

    /// Hashes the bytes and not the characters. If texts with equal characters had equal hashes, a
    /// client could create many different texts with one hash.
    func hashBytes(into hasher: inout Hasher)
}

extension String: BytewiseText {
    /// Whether both strings have the same UTF-8 bytes.
    package func hasBytes(of other: String) -> Bool {
        let (left, right) = (utf8, other.utf8)
        guard left.count == right.count else { return false }
        let isEqual = unsafe left.withContiguousStorageIfAvailable { left in
            unsafe right.withContiguousStorageIfAvailable { right in
                unsafe Self.areEqual(left.span, right.span)
            }
        }
        return (isEqual ?? nil) ?? left.elementsEqual(right)
    }

    /// Whether spans of the same length are equal. `elementsEqual` needs more instructions.
    private static func areEqual(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
        var index = 0
        while index < left.count, left[index] == right[index] { index += 1 }
        return index == left.count
    }

    package func hashBytes(into hasher: inout Hasher) {
        let isContiguous: Void? = unsafe utf8.withContiguousStorageIfAvailable { bytes in
            unsafe hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
        }
        if isContiguous == nil { for byte in utf8 { hasher.combine(byte) } }
        // Marks the end of the text with a byte that UTF-8 never contains.
        hasher.combine(0xFF as UInt8)
    }
}

extension Optional: BytewiseText where Wrapped == String {
    package func hasBytes(of other: String?) -> Bool {
        switch (self, other) {
        case (nil, nil): true
        case (let left?, let right?): left.hasBytes(of: right)
        case (nil, _?), (_?, nil): false
        }
    }

    package func hashBytes(into hasher: inout Hasher) {
        hasher.combine(self != nil)
        self?.hashBytes(into: &hasher)
    }
}
