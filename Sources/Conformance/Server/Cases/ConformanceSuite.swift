internal import ConformanceFiles
internal import Foundation
internal import RefreshEngine
package import ScenarioKit

/// The conformance suite for servers: all cases, ordered by group and number.
package enum ConformanceSuite {
    /// All cases.
    ///
    /// The files are part of the program. A file that cannot be parsed is a bug, which a test
    /// detects.
    package static let cases: [ConformanceCase] = ConformanceGroup.allCases.flatMap { group in
        (scriptCases(group) + Self.nonScriptCases(group)).sorted { caseNumber($0) < caseNumber($1) }
    }

    /// Returns the cases of these groups whose id or name matches one of the patterns. `*` is a
    /// wildcard. An empty list of groups means all groups, and an empty list of patterns means all
    /// cases of the groups.
    package static func cases(
        of cases: [ConformanceCase], inGroups groups: [ConformanceGroup],
        matching patterns: [String]
    ) -> [ConformanceCase] {
        cases.filter { subject in
            (groups.isEmpty || groups.contains(subject.group))
                && (patterns.isEmpty
                    || patterns.contains { pattern in
                        [subject.id, subject.name].contains { text in
                            Wildcard.matches(text, form: pattern)
                        }
                    })
        }
    }

    /// Reads cases from a user's file. The name of the file is the name of their group.
    package static func read(_ path: String) throws(ScenarioFile.Failure) -> [ConformanceCase] {
        let url = URL(filePath: path)
        guard let group = ConformanceGroup(fileName: url.deletingPathExtension().lastPathComponent)
        else { throw ScenarioFile.Failure(location: path, reason: "has the name of no group") }
        guard let text = try? String(contentsOf: url, encoding: .utf8) else {
            throw ScenarioFile.Failure(location: path, reason: "cannot be read")
        }
        do {
            return try SuiteParser(group, profiles: ServerRequirement.profiles).parse(text)
        } catch {
            throw ScenarioFile.Failure(location: "\(path):\(error.line)", reason: error.reason)
        }
    }

    /// The errors in the files of the suite.
    package static var parseErrors: [String] {
        texts.compactMap { group, text in
            do {
                _ = try SuiteParser(group, profiles: ServerRequirement.profiles).parse(text)
                return nil
            } catch {
                return "\(group.rawValue).suite: \(error)"
            }
        }
    }

    private static func scriptCases(_ group: ConformanceGroup) -> [ConformanceCase] {
        texts.filter { $0.0 == group }.flatMap { group, text in
            (try? SuiteParser(group, profiles: ServerRequirement.profiles).parse(text)) ?? []
        }
    }

    private static func caseNumber(_ a: ConformanceCase) -> Int {
        a.id.split(separator: "-").last.flatMap { Int($0) } ?? 0
    }

}

extension ConformanceSuite {
    /// The text of each file for servers in the folder Suite, with the group of its cases.
    static var texts: [(ConformanceGroup, String)] {
        files.compactMap { name, text in ConformanceGroup(fileName: name).map { ($0, text) } }
    }

    /// Returns the text of the file with that name. The name has no extension.
    static func text(named name: String) -> String? { files.first { $0.name == name }?.text }

    /// All files in the folder Suite.
    private static var files: [(name: String, text: String)] {
        (0..<conformance_file_count()).map { index in
            let file = unsafe conformance_file_at(index)
            let text = unsafe String(
                decoding: UnsafeBufferPointer(start: file.bytes, count: file.count), as: UTF8.self)
            return (unsafe String(cString: file.name), text)
        }
    }
}
