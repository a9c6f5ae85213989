/// The context of the text that is being parsed: the files that include it, and the numbers of
/// includes and steps in the whole scenario.
struct SourceContext {
    let sources: ScenarioSources
    /// The files being parsed, from the outermost to the innermost include. The last one is the
    /// current text.
    private(set) var chain: [String]
    /// The number of files included so far, in the whole scenario.
    private(set) var includes = 0
    /// The number of steps parsed so far, in the whole scenario.
    var steps = 0
    /// The names of the declared clients. A step may begin with one of these names.
    var clients: [String] = []

    init(path: String, sources: ScenarioSources) {
        self.sources = sources
        chain = [ScenarioSources.path(path, from: "")]
        if path.hasPrefix("/") { chain = [ScenarioSources.path(path, from: "/")] }
    }

    /// Resolves a path that occurs in the text. The path is relative to the file that is being
    /// parsed.
    func path(_ path: String) -> String {
        ScenarioSources.path(path, from: chain.last ?? "")
    }

    /// Returns the `expected` text of the syntax error if the file may not be included. Nil if the
    /// file may be included.
    func includeError(for path: String) -> String? {
        if let start = chain.firstIndex(of: path) {
            let circle = (chain[start...] + [path]).joined(separator: " -> ")
            return "a file that does not include itself (\(circle))"
        }
        if chain.count > ScenarioBounds.includeDepthMax {
            let depth = ScenarioBounds.includeDepthMax
            return "at most \(depth) levels of nested includes (\(chain.joined(separator: " -> ")))"
        }
        if includes >= ScenarioBounds.includesMax {
            return "at most \(ScenarioBounds.includesMax) includes"
        }
        return nil
    }

    /// Returns the context for parsing the included file.
    func contextIncluding(_ path: String) -> SourceContext {
        var inner = self
        inner.chain.append(path)
        inner.includes += 1
        return inner
    }

    /// Replaces the counts by those of `inner` after the included file was parsed.
    mutating func updateCounts(from inner: SourceContext) {
        includes = inner.includes
        steps = inner.steps
    }
}
