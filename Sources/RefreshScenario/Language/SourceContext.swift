/// What the parser of a scenario knows of the files around the text that it reads.
struct SourceContext {
    let sources: ScenarioSources
    /// The files that are being read, each included by the one before; the last is the text's own.
    private(set) var chain: [String]
    /// How many files were included so far, in the whole scenario.
    private(set) var includes = 0
    /// How many steps were read so far, in the whole scenario.
    var steps = 0
    /// The names of clients that steps may begin with.
    var clients: [String] = []

    init(path: String, sources: ScenarioSources) {
        self.sources = sources
        chain = [ScenarioSources.path(path, from: "")]
        if path.hasPrefix("/") { chain = [ScenarioSources.path(path, from: "/")] }
    }

    /// Where a file lies that is named in the text.
    func path(_ path: String) -> String {
        ScenarioSources.path(path, from: chain.last ?? "")
    }

    /// What would be wrong with including the file there; nil: nothing.
    func objection(toIncluding path: String) -> String? {
        if let start = chain.firstIndex(of: path) {
            let circle = (chain[start...] + [path]).joined(separator: " -> ")
            return "a file that does not include itself (\(circle))"
        }
        if chain.count > ScenarioBounds.includeDepthMax {
            let depth = ScenarioBounds.includeDepthMax
            return "files inside files at most \(depth) deep (\(chain.joined(separator: " -> ")))"
        }
        if includes >= ScenarioBounds.includesMax {
            return "at most \(ScenarioBounds.includesMax) includes"
        }
        return nil
    }

    /// The context of the file, which is read next.
    func including(_ path: String) -> SourceContext {
        var inner = self
        inner.chain.append(path)
        inner.includes += 1
        return inner
    }

    /// Goes on behind the file whose context was `inner`.
    mutating func goOn(after inner: SourceContext) {
        includes = inner.includes
        steps = inner.steps
    }
}
