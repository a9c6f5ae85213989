/// Why a key file cannot be used: a sentence for the operator that repeats nothing of the file.
package struct KeyFileProblem: Error, Hashable, Sendable {
    package var message: String

    init(_ message: String) { self.message = message }
}
