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
    func append(to json: inout [UInt8]) {
        json.append(contentsOf: "{\"name\":".utf8)
        JSONString.append(name.utf8, to: &json)
        json.append(contentsOf: ",\"version\":".utf8)
        JSONString.append(version.utf8, to: &json)
        json.append(contentsOf: ",\"description\":".utf8)
        JSONString.append(description.utf8, to: &json)
        json.append(contentsOf: ",\"section\":".utf8)
        JSONString.append(section.utf8, to: &json)
        json.append(contentsOf: ",\"installedKiB\":".utf8)
        json.append(contentsOf: (installedKiB.map(String.init) ?? "null").utf8)
        json.append(UInt8(ascii: "}"))
    }
}
