/// One problem in a configuration: its place and a message.
package struct ConfigurationProblem: Hashable, Sendable, CustomStringConvertible {
    /// The place in a configuration file, counted from 1.
    package struct Location: Hashable, Sendable {
        package var file: String
        package var line: Int
        package var column: Int

        package init(file: String, line: Int, column: Int) {
            self.file = file
            self.line = line
            self.column = column
        }
    }

    /// The place; nil if the problem is not in a file.
    package var location: Location?
    /// The full key, as in `limits.frameBytesMax`; empty if the problem does not concern a key.
    package var key: String
    package var message: String

    package init(at place: Location? = nil, key: String = "", _ message: String) {
        self.location = place
        self.key = key
        self.message = message
    }

    /// `FILE:LINE:COLUMN: KEY: MESSAGE`, a form that editors parse.
    package var description: String {
        let place = location.map { "\($0.file):\($0.line):\($0.column): " } ?? ""
        return place + (key.isEmpty ? "" : key + ": ") + message
    }
}
