package import RefreshProtocol

extension ItemChange {
    /// Appends the report of the change, without a count. `ChangeReader` reads it.
    package func append(to out: inout ByteBuffer) {
        out.append(literal: #"{"operations":["#)
        var separator = MemberSeparator()
        for operation in operations {
            separator.appendSeparator(to: &out)
            operation.append(to: &out)
        }
        out.append(UInt8(ascii: "]"))
        if !parameters.isEmpty {
            out.append(literal: #","parameters":{"#)
            var separator = MemberSeparator()
            for parameter in parameters {
                separator.appendSeparator(to: &out)
                out.appendQuoted(parameter.name)
                out.append(UInt8(ascii: ":"))
                out.appendQuoted(parameter.value.text)
            }
            out.append(UInt8(ascii: "}"))
        }
        if let subject {
            out.append(literal: #","subject":"#)
            out.appendQuoted(subject)
        }
        out.append(UInt8(ascii: "}"))
    }

    /// The number of bytes of the report.
    var jsonBytes: Int {
        var frame = self
        frame.operations = []
        var out = ByteBuffer(capacity: 128)
        frame.append(to: &out)
        let separators = max(0, operations.count - 1)
        return operations.reduce(out.count + separators) { $0 + $1.jsonBytes }
    }

    /// The JSON text of several changes: an array.
    package static func json(of changes: [ItemChange]) -> [UInt8] {
        var out = ByteBuffer(capacity: 512)
        out.append(UInt8(ascii: "["))
        var separator = MemberSeparator()
        for change in changes {
            separator.appendSeparator(to: &out)
            change.append(to: &out)
        }
        out.append(UInt8(ascii: "]"))
        return out.bytes
    }
}

extension [ItemChange] {
    /// Whether the changes have at most as many operations and bytes as one report.
    var areBounded: Bool {
        guard reduce(0, { $0 + $1.operations.count }) <= ItemChange.operationsMax else {
            return false
        }
        return reduce(0) { $0 + $1.jsonBytes } <= ItemChange.bytesMax
    }
}

extension FeedChange {
    /// Adds a later change of the same feed. If one of the changes has no operations, or both have
    /// too many, the sum has none.
    package mutating func add(_ later: FeedChange) {
        count.add(later.count)
        isRepeated = isRepeated || later.isRepeated
        isOrdered = isOrdered && later.isOrdered && reporter == later.reporter
        guard var merged = items, let more = later.items else { return items = nil }
        items = nil
        for change in more {
            if let last = merged.last, last.parameters == change.parameters,
                last.subject.hasBytes(of: change.subject)
            {
                merged[merged.count - 1].operations += change.operations
            } else {
                merged.append(change)
            }
        }
        if merged.areBounded { items = merged }
    }
}
