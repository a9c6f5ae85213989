/// The registries as Markdown tables for docs/protocol.md.
package enum RegistryTables {
    /// A row for each fault: its code, its message, its scope, whether it is temporary, its close
    /// code, and advice.
    package static var faults: String {
        table(
            ["code", "message", "concerns", "temporary", "closes", "what to do"],
            FaultCode.allCases.map { fault in
                [
                    "`\(fault.rawValue)`", fault.message, fault.scope.rawValue,
                    fault.isTemporary ? "yes" : "",
                    fault.closeCode.map { String($0.rawValue) } ?? "", fault.advice,
                ]
            })
    }

    /// A row for each diagnostic: its code, its message, and advice.
    package static var diagnostics: String {
        table(
            ["code", "message", "what to do"],
            DiagnosticCode.allCases.map { code in
                ["`\(code.rawValue)`", code.message, code.advice + link(to: code.page)]
            })
    }

    /// A row for each close code of the daemon: its number, its meaning, and advice.
    package static var closeCodes: String {
        table(
            ["code", "meaning", "what to do"],
            CloseCode.allCases.map { [String($0.rawValue), $0.meaning, $0.advice] })
    }

    /// A row for each close code that the daemon does not choose: its number, its meaning, the
    /// responsible party, whether the session is kept, and advice.
    package static var standardCloseCodes: String {
        table(
            ["code", "meaning", "responsible", "session", "what to do"],
            StandardCloseCode.allCases.map { code in
                [
                    String(code.rawValue), code.meaning, code.responsibleParty.phrase,
                    code.keepsSession ? "kept" : "none", code.advice,
                ]
            })
    }

    /// A row for each limit: its name, its default, and its meaning.
    package static var limits: String {
        let defaults = Limits()
        return table(
            ["name", "default", "bounds"],
            Limits.table.map { entry in
                ["`\(entry.name)`", String(defaults[keyPath: entry.path]), entry.meaning]
            }
                + Limits.tableOfFeatures.map { entry in
                    [
                        "`\(entry.name)`", String(defaults[keyPath: entry.path]),
                        entry.meaning + "; only for clients with [features](#features)",
                    ]
                })
    }

    /// Returns a sentence with a link to a section of another page of docs/; nothing for nil.
    private static func link(to page: String?) -> String {
        guard let page else { return "" }
        let target = page.dropFirst("docs/".count)
        return " See [\(target.prefix { $0 != "#" })](\(target))."
    }

    /// Returns a Markdown table with the headings `heading`. Each of its lines ends with a newline.
    package static func table(_ heading: [String], _ rows: [[String]]) -> String {
        let rule = "|" + String(repeating: "---|", count: heading.count)
        return ([line(heading), rule] + rows.map(line)).map { $0 + "\n" }.joined()
    }

    private static func line(_ cells: [String]) -> String {
        "|" + cells.map { $0.isEmpty ? " |" : " \($0) |" }.joined()
    }
}
