/// A parser of dpkg's status file. The file consists of paragraphs that are separated by blank
/// lines. A paragraph consists of fields, `Field: value`, with indented continuation lines.
///
/// The parser skips lines and fields that it does not know. Source: deb-control(5), dpkg(1).
struct DpkgStatus {
    /// Returns the packages with `Status: install ok installed`, sorted by name in byte order.
    static func installedPackages(in bytes: [UInt8]) -> [DebianPackage] {
        var packages: [DebianPackage] = []
        var package = DebianPackage()
        var isInstalled = false

        func finish() {
            if isInstalled, !package.name.isEmpty { packages.append(package) }
            package = DebianPackage()
            isInstalled = false
        }

        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            if line.allSatisfy(isBlank) {
                finish()
                continue
            }
            // Continuation lines are ignored, because only the first line of each field is used.
            guard let first = line.first, !isBlank(first),
                let colon = line.firstIndex(of: UInt8(ascii: ":"))
            else { continue }
            let value = text(line[(colon + 1)...])
            switch text(line[..<colon]).lowercased() {
            case "package": package.name = value
            case "version": package.version = value
            case "section": package.section = value
            case "description": package.description = value
            case "installed-size": package.installedKiB = Int(value)
            case "status":
                isInstalled = value.split(separator: " ") == ["install", "ok", "installed"]
            default: break
            }
        }
        finish()
        return packages.sorted {
            $0.name == $1.name ? $0.version < $1.version : $0.name < $1.name
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0D
    }

    /// Returns the trimmed text. Invalid UTF-8 becomes U+FFFD.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        let start = bytes.drop(while: isBlank)
        let end = start.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? start.startIndex
        return String(decoding: start[..<end], as: UTF8.self)
    }
}
