internal import RefreshProtocol

/// One installed package, as an item of the demo's list.
struct DebianPackage: Hashable, Sendable {
    var name = ""
    var version = ""
    /// The first line of the description: a summary of the package.
    var description = ""
    var section = ""
    /// The size as dpkg estimates it; nil if the package does not declare one.
    var installedKiB: Int?

    /// Appends the package as a JSON object.
    func append(to json: inout ByteBuffer) {
        json.append(UInt8(ascii: "{"))
        appendMembers(to: &json)
        json.append(UInt8(ascii: "}"))
    }

    /// Appends the members of the package's JSON object.
    func appendMembers(to json: inout ByteBuffer) {
        json.append(literal: "\"name\":")
        json.appendQuoted(name)
        json.append(literal: ",\"version\":")
        json.appendQuoted(version)
        json.append(literal: ",\"description\":")
        json.appendQuoted(description)
        json.append(literal: ",\"section\":")
        json.appendQuoted(section)
        json.append(literal: ",\"installedKiB\":")
        if let installedKiB {
            json.append(installedKiB)
        } else {
            json.append(literal: "null")
        }
    }
}
