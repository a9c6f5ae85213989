internal import Cryptography
package import RefreshBroker

extension IdempotencyKey {
    /// The key that identifies an edit to its backend, with 69 ASCII characters. Edits with another
    /// subject, feed or name have another key, because the fields are hashed with their lengths.
    /// `edit` is the name that the client has given the edit.
    package static func text(edit: String, of feed: String, subject: String?) -> String {
        var bytes: [UInt8] = []
        for field in [subject, feed, edit] {
            guard let field else {
                bytes.append(UInt8(ascii: "-"))
                continue
            }
            bytes += Array("\(field.utf8.count):".utf8) + Array(field.utf8)
        }
        let digits = Array("0123456789abcdef".utf8)
        let digest = SHA256.digest(of: bytes).flatMap {
            [digits[Int($0 >> 4)], digits[Int($0 & 15)]]
        }
        return "edit-" + String(decoding: digest, as: UTF8.self)
    }
}
