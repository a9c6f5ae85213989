/// The reason why a key file cannot be used: a message for the operator. It contains no part of the
/// file's contents.
package struct KeyFileProblem: Error, Hashable, Sendable {
    package var message: String

    init(_ message: String) { self.message = message }
}
