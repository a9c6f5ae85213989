internal import RefreshProtocol

/// One installed package, as the demo lists it.
struct DebianPackage: Hashable, Sendable {
    var name = ""
    var version = ""
    /// The first line: what the package is.
    var description = ""
    var section = ""
    /// dpkg's own estimate; nil where the package does not say.
    var installedKiB: Int?

    /// Appends the package as a JSON object.
    func append(to json: inout ByteBuffer) {
        json.append(literal: "{\"name\":")
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
        json.append(literal: "}")
    }
}
