import Foundation

/// The anchors of the sections of a Markdown file, as GitHub derives them from headings.
enum PageAnchors {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    static func file(_ path: String) -> URL { root.appending(path: path) }

    static func text(_ path: String) throws -> String {
        try String(contentsOf: file(path), encoding: .utf8)
    }

    static func of(_ path: String) throws -> Set<String> {
        var counts: [String: Int] = [:]
        var anchors: Set<String> = []
        var isCode = false
        for line in try text(path).split(separator: "\n") {
            if line.hasPrefix("```") { isCode.toggle() }
            guard !isCode, line.hasPrefix("#") else { continue }
            let title = line.drop { $0 == "#" }.drop { $0 == " " }
            let anchor = title.lowercased().compactMap { character -> String? in
                if character == " " { return "-" }
                let isWordCharacter =
                    character.isLetter || character.isNumber || "-_".contains(character)
                return isWordCharacter ? String(character) : nil
            }.joined()
            let count = counts[anchor, default: 0]
            counts[anchor] = count + 1
            anchors.insert(count == 0 ? anchor : "\(anchor)-\(count)")
        }
        return anchors
    }
}
