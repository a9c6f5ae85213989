internal import RefreshProtocol

/// The parser of the bundled list of packages. The list is a JSON file.
extension DebianPackage {
    /// Parses a JSON array of packages, or an object with an array `items`. Unknown members are
    /// ignored.
    static func packages(inJSON bytes: [UInt8]) throws(AnswerFault) -> [DebianPackage] {
        let items = try JSONItems.items(in: bytes)
        var packages: [DebianPackage] = []
        packages.reserveCapacity(items.count)
        for index in 0..<items.count { packages.append(try DebianPackage(json: items[index])) }
        return packages
    }

    /// Parses one package. Members of another type than expected are ignored.
    init(json item: ArraySlice<UInt8>) throws(AnswerFault) {
        let bytes = Array(item)
        var scanner = JSONScanner(bytes.span, limits: AnswerFault.limits)
        try scanner.require(UInt8(ascii: "{"))
        if scanner.consumeByte(UInt8(ascii: "}")) { return }
        repeat {
            scanner.skipSpace()
            let name = try scanner.readAnswerString().text(in: scanner.bytes)
            try scanner.require(UInt8(ascii: ":"))
            scanner.skipSpace()
            if scanner.peek == UInt8(ascii: "\"") {
                let text = try scanner.readAnswerString().text(in: scanner.bytes)
                switch name {
                case "name": self.name = text
                case "version": version = text
                case "description": description = text
                case "section": section = text
                default: break
                }
            } else {
                let value = try scanner.skipAnswerValue(inside: 1)
                if name == "installedKiB" {
                    installedKiB = Int(String(decoding: bytes[value], as: UTF8.self))
                }
            }
        } while scanner.consumeByte(UInt8(ascii: ","))
        try scanner.require(UInt8(ascii: "}"))
    }
}
