internal import RefreshBroker
internal import RefreshProtocol

/// A placeholder in a template of the `http` backend. It stands for a value of the load request.
/// Source: docs/backends.md, "http".
enum Placeholder: Hashable, Sendable {
    case page, size, offset, cursor, kind, subject
    case parameter(String)

    /// Parses the text between the braces. `parameters` are the names that the feed declares. An
    /// error is thrown for `key`, the key of the template in the configuration.
    init(
        _ name: Substring, parameters: [String], key: String
    ) throws(BackendConfigurationError) {
        switch name {
        case "page": self = .page
        case "size": self = .size
        case "offset": self = .offset
        case "cursor": self = .cursor
        case "kind": self = .kind
        case "subject": self = .subject
        default:
            let prefix = "parameter:"
            guard name.hasPrefix(prefix) else {
                throw BackendConfigurationError(key, "The placeholder {\(name)} is unknown.")
            }
            let parameter = String(name.dropFirst(prefix.count))
            guard parameters.contains(parameter) else {
                throw BackendConfigurationError(
                    key, "It uses the parameter \(parameter), which the feed does not declare.")
            }
            self = .parameter(parameter)
        }
    }

    /// Returns the placeholder's value in a request, or nil if the request has none.
    func value(in request: LoadRequest) -> ParameterValue? {
        switch self {
        case .page: .integer(Int64(request.page))
        case .size: .integer(Int64(request.size))
        case .offset: .integer(Int64(request.offset))
        case .cursor: request.cursor.map { .text($0) }
        case .kind: .text(request.kind.rawValue)
        case .subject: request.subject.map { .text($0) }
        case .parameter(let name): request.value(of: name)
        }
    }
}
