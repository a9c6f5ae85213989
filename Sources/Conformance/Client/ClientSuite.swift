internal import ConformanceFiles
internal import Foundation
package import ScenarioKit

/// The conformance suite for clients: all cases, ordered by group and number. Source:
/// docs/conformance.md, "Grading a client".
package enum ClientSuite {
    /// All cases.
    ///
    /// The files are part of the program. A file that cannot be parsed is a bug, which a test
    /// detects.
    package static let cases: [ClientCase] = ClientGroup.allCases.flatMap { group in
        (try? parse(group)) ?? []
    }

    /// Returns the cases of these groups whose id or name matches one of the patterns. `*` is a
    /// wildcard. An empty list of groups means all groups, and an empty list of patterns means all
    /// cases of the groups.
    package static func cases(
        of cases: [ClientCase] = ClientSuite.cases, inGroups groups: [ClientGroup],
        matching patterns: [String]
    ) -> [ClientCase] {
        cases.filter { subject in
            (groups.isEmpty || groups.contains(subject.group))
                && (patterns.isEmpty
                    || patterns.contains { pattern in
                        [subject.id, subject.name].contains { Wildcard.matches($0, form: pattern) }
                    })
        }
    }

    /// Reads the cases of a file, whose name is that of a group.
    package static func read(_ path: String) throws(ScenarioFile.Failure) -> [ClientCase] {
        let url = URL(filePath: path)
        guard let group = ClientGroup(rawValue: url.deletingPathExtension().lastPathComponent)
        else { throw ScenarioFile.Failure(location: path, reason: "has the name of no group") }
        guard let text = try? String(contentsOf: url, encoding: .utf8) else {
            throw ScenarioFile.Failure(location: path, reason: "cannot be read")
        }
        do {
            return try parse(text, of: group)
        } catch {
            throw ScenarioFile.Failure(location: "\(path):\(error.line)", reason: error.reason)
        }
    }

    /// The errors in the files of the suite.
    package static var parseErrors: [String] {
        ClientGroup.allCases.compactMap { group in
            do {
                _ = try parse(group)
                return nil
            } catch {
                return "clients/\(group.rawValue).suite: \(error)"
            }
        }
    }

    private static func parse(_ group: ClientGroup) throws(SuiteError) -> [ClientCase] {
        guard let text = ConformanceSuite.text(named: "clients/\(group.rawValue)") else {
            throw SuiteError(line: 0, reason: "the file is missing")
        }
        return try parse(text, of: group)
    }

    /// Parses the text of a file.
    package static func parse(
        _ text: String, of group: ClientGroup
    ) throws(SuiteError) -> [ClientCase] {
        let (prelude, entries) = try SuiteEntry.entries(of: text)
        do throws(ScenarioSyntaxError) {
            var parser = ScenarioParser(prelude)
            var blocks: [String: [ClientStep]] = [:]
            let preparation = try parser.parseClientSteps(&blocks)
            var cases: [ClientCase] = []
            for entry in entries {
                cases.append(try ClientCase(entry, of: group, after: preparation, blocks))
            }
            return cases
        } catch {
            throw SuiteError(error)
        }
    }
}

extension ClientCase {
    /// Reads a case. `preparation` contains the steps that run before every case of the file.
    /// `blocks` contains the named blocks of steps.
    fileprivate init(
        _ entry: SuiteEntry, of group: ClientGroup, after preparation: [ClientStep],
        _ blocks: [String: [ClientStep]]
    ) throws(ScenarioSyntaxError) {
        var parser = ScenarioParser(entry.body)
        id = "\(group.rawValue)-\(entry.number)"
        self.group = group
        name = entry.name
        description = try parser.parseHeader("description")
        expectation = try parser.parseHeader("expectation")
        reference = entry.reference
        level = entry.level
        needs = []
        for text in entry.requirements {
            let word = text.filter { $0 != " " }
            guard let ability = ClientAbility(rawValue: word) else {
                throw ScenarioSyntaxError(
                    at: SourcePosition(line: entry.line, column: 1), expected: "an ability",
                    found: word)
            }
            needs.append(ability)
        }
        var blocks = blocks
        steps = preparation + (try parser.parseClientSteps(&blocks))
        guard parser.scanner.isAtEnd else { throw parser.scanner.error(expected: "a step") }
    }
}
