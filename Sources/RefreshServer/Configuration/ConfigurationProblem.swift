/// One mistake in a configuration: where it stands and what is wrong.
package struct ConfigurationProblem: Hashable, Sendable, CustomStringConvertible {
    /// The place in a configuration file, counted from 1.
    package struct Place: Hashable, Sendable {
        package var file: String
        package var line: Int
        package var column: Int

        package init(file: String, line: Int, column: Int) {
            self.file = file
            self.line = line
            self.column = column
        }
    }

    /// Nil where the mistake is not in a file.
    package var place: Place?
    /// The whole key, as in `limits.frameBytesMax`; empty where no key is to blame.
    package var key: String
    package var message: String

    package init(at place: Place? = nil, key: String = "", _ message: String) {
        self.place = place
        self.key = key
        self.message = message
    }

    /// `FILE:LINE:COLUMN: KEY: MESSAGE`, as editors understand it.
    package var description: String {
        let place = place.map { "\($0.file):\($0.line):\($0.column): " } ?? ""
        return place + (key.isEmpty ? "" : key + ": ") + message
    }
}
