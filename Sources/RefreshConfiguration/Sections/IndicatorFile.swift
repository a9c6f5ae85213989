internal import Foundation
package import RefreshIndicator
internal import RefreshProtocol
internal import Yams

/// A file that describes an indicator. Source: docs/indicators.md, "Programmes of your own".
package enum IndicatorFile {
    /// The reason why a file is invalid, in one line without the file's name.
    package struct Mistake: Error, Hashable, Sendable, CustomStringConvertible {
        package var description: String

        init(_ description: String) { self.description = description }
    }

    /// Reads the file at `path` and checks it completely.
    package static func read(_ path: String) throws(Mistake) -> Programme {
        let file: NamedFile
        do throws(NamedFile.Refusal) {
            file = try NamedFile(path: path, bytesMax: ProgrammeLimits.bytes)
        } catch {
            throw Mistake(error.reason)
        }
        return try programme(from: Data(file.bytes))
    }

    /// Returns the programme of a file.
    static func programme(from data: Data) throws(Mistake) -> Programme {
        guard data.count <= ProgrammeLimits.bytes else {
            throw Mistake("larger than \(ProgrammeLimits.bytes) bytes")
        }
        guard String(validating: data, as: UTF8.self) != nil else { throw Mistake("not UTF-8") }
        let json = try json(from: data)
        do throws(ProgrammeError) {
            return try Programme(file: json)
        } catch {
            throw Mistake(error.description + hint(error.unknown))
        }
    }

    private static func json(from data: Data) throws(Mistake) -> JSONValue {
        do throws(FaultCode) {
            return try JSONValue(parsing: Array(data))
        } catch {
            switch error {
            case .depthExceeded: throw Mistake("JSON that is not accepted: nested too deeply")
            case .duplicateField: throw Mistake("JSON that is not accepted: a name occurs twice")
            case .numberOutOfRange:
                throw Mistake("JSON that is not accepted: a number is too large")
            default: throw Mistake("not JSON\(errorDetail(in: data))")
            }
        }
    }

    /// Returns the error of Foundation's JSON parser. That parser accepts some texts that are
    /// rejected here. For such a text, the result is empty.
    private static func errorDetail(in data: Data) -> String {
        do {
            _ = try JSONSerialization.jsonObject(with: data, options: [.fragmentsAllowed])
            return ""
        } catch {
            let reason = (error as NSError).userInfo["NSDebugDescription"] as? String
            return reason.map { ": \($0)" } ?? ""
        }
    }

    private static func hint(_ unknown: ProgrammeError.Unknown?) -> String {
        guard let unknown,
            let meant = SpellingSuggestion.suggestion(for: unknown.word, among: unknown.known)
        else { return "" }
        return "; did you mean `\(meant)`?"
    }
}

/// Reads `indicators` of a configuration file, and the files that `indicators` names.
struct IndicatorReader {
    /// The maximum number of indicators. A `welcome` can contain the names of this many indicators.
    private static let countMax = 256

    let folder: ConfigurationFolder

    /// Returns the valid indicators in the order of the file, and reports the problems of invalid
    /// ones.
    func indicators(
        _ top: SettingsMapping, with reader: inout SettingsReader
    ) -> [NamedProgramme] {
        guard let all = reader.named("indicators", in: top) else { return [] }
        guard all.entries.count <= Self.countMax else {
            reader.report(
                "\(all.entries.count) indicators; at most \(Self.countMax)", key: "indicators",
                at: all.node)
            return []
        }
        return all.entries.compactMap { entry in
            let key = all.key(entry.name)
            guard ConfiguredName.isValid(entry.name) else {
                reader.report(ConfiguredName.rule, key: key, at: entry.keyNode)
                return nil
            }
            guard BuiltInIndicator(rawValue: entry.name) == nil else {
                reader.report("the name is already in use", key: key, at: entry.keyNode)
                return nil
            }
            return programme(entry, key: key, with: &reader)
        }
    }

    private func programme(
        _ entry: SettingsMapping.Entry, key: String, with reader: inout SettingsReader
    ) -> NamedProgramme? {
        guard
            let settings = reader.mapping(
                entry.value, key: key, table: ConfigurationShape.indicator, at: entry.keyNode),
            let file = reader.string("file", in: settings)
        else { return nil }
        do throws(IndicatorFile.Mistake) {
            return NamedProgramme(entry.name, try IndicatorFile.read(folder.resolve(file)))
        } catch {
            // The problem is in the indicator's file, so no place in the configuration file is
            // given.
            reader.report("indicator \(entry.name): \(file): \(error)")
            return nil
        }
    }
}
