internal import Foundation
internal import Yams

/// The merged settings of the configuration file and the environment, as YAML nodes. The values
/// have not been checked yet.
struct SettingsTree {
    /// The node that contains all settings; nil if nothing is set.
    private(set) var root: Node?
    /// The path of the file. Messages contain this path, and relative paths begin in the folder of
    /// the file. If the path is empty, there is no file, and relative paths begin in the working
    /// directory.
    let path: String
    /// For each key that the environment sets, its full name and the environment variable.
    private(set) var variables: [String: String] = [:]

    private static let bytesMax = 1_048_576

    /// Creates a tree without a file.
    init() { path = "" }

    /// Reads the file at `path`.
    init(path: String) throws(ConfigurationError) {
        let file: NamedFile
        do throws(NamedFile.Refusal) {
            file = try NamedFile(path: path, bytesMax: Self.bytesMax)
        } catch {
            throw ConfigurationError(
                [
                    ConfigurationProblem(
                        "\(path): \(error.reason); "
                            + "use --config to name a file that this user may read")
                ], exitStatus: .noInput)
        }
        guard let text = String(validating: file.bytes, as: UTF8.self) else {
            throw ConfigurationError("\(path): not UTF-8")
        }
        try self.init(text: text, path: path)
    }

    /// Parses YAML text. `path` is the path of the file that contains the text.
    init(text: String, path: String) throws(ConfigurationError) {
        self.path = path
        do {
            root = try Yams.compose(yaml: text)
        } catch let error as YamlError {
            throw ConfigurationError([Self.problem(error, path: path)])
        } catch {
            throw ConfigurationError("\(path): not YAML")
        }
    }

    private static func problem(_ error: YamlError, path: String) -> ConfigurationProblem {
        func at(_ mark: Mark) -> ConfigurationProblem.Location {
            ConfigurationProblem.Location(file: path, line: mark.line, column: mark.column)
        }
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            return ConfigurationProblem(at: at(mark), problem)
        case .duplicatedKeysInMapping(let duplicates, let context):
            let names = duplicates.map { "`\($0)`" }.joined(separator: ", ")
            return ConfigurationProblem(
                at: at(context.mark), "\(names) occurs more than once in one mapping")
        case .reader(let problem, let offset, _, let text):
            // The error's own description is not used, because it repeats the line, which may
            // contain a secret.
            return ConfigurationProblem(at: location(offset ?? 0, of: text, path: path), problem)
        default:
            return ConfigurationProblem("\(path): not YAML")
        }
    }

    /// Returns the line and the column of the byte at `offset`.
    private static func location(
        _ offset: Int, of text: String, path: String
    ) -> ConfigurationProblem.Location {
        let lines = text.utf8.prefix(offset).split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let column = lines.last.map { String(decoding: $0, as: UTF8.self).unicodeScalars.count }
        return ConfigurationProblem.Location(
            file: path, line: lines.count, column: (column ?? 0) + 1)
    }

    // MARK: Merging

    /// Returns the tree with the environment merged over the file.
    func overlaid(by environment: EnvironmentSettings) -> SettingsTree {
        var tree = self
        for setting in environment.settings {
            let root = tree.root ?? .mapping(Node.Mapping([]))
            let value =
                setting.key.isList
                ? Self.list(setting.text) : .scalar(Node.Scalar(setting.text, .implicit, .plain))
            // The result is nil if the path goes through a value of the file that is not a mapping.
            // The reader later reports that value as a problem of the file.
            guard let changed = Self.setting(value, at: setting.key.path[...], in: root)
            else { continue }
            tree.root = changed
            tree.variables[setting.key.name] = setting.key.variable
        }
        return tree
    }

    private static func list(_ text: String) -> Node {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        return .sequence(
            Node.Sequence(
                parts.map {
                    let part = $0.trimmingCharacters(in: .whitespaces)
                    return .scalar(Node.Scalar(part, .implicit, .plain))
                }))
    }

    /// Returns the node as a mapping, or nil if it is not a mapping. An empty section counts as a
    /// mapping without keys.
    private static func table(_ node: Node) -> Node.Mapping? {
        switch node {
        case .mapping(let mapping): mapping
        case .scalar(let scalar) where scalar.string.isEmpty && scalar.style == .plain:
            Node.Mapping([], .implicit, .any, scalar.mark)
        default: nil
        }
    }

    private static func setting(
        _ value: Node, at path: ArraySlice<String>, in node: Node
    ) -> Node? {
        guard let name = path.first else { return value }
        guard var mapping = Self.table(node) else { return nil }
        let key =
            mapping.first { $0.key.scalar?.string == name }?.key
            ?? .scalar(Node.Scalar(name))
        let old = mapping.first { $0.key == key }?.value ?? .mapping(Node.Mapping([]))
        guard let new = setting(value, at: path.dropFirst(), in: old) else { return nil }
        mapping[key] = new
        return .mapping(mapping)
    }
}
