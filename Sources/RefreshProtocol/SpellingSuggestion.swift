/// Suggests the word that a misspelled word probably stands for.
package enum SpellingSuggestion {
    /// The candidate that `word` was probably meant to be. A candidate is close enough if it is
    /// equal to `word` except for case, or differs by at most one change for every three letters.
    /// If no candidate is close enough, the only candidate that begins with `word` is returned. A
    /// word of one or two letters is close to too many words, so it must be equal to the candidate
    /// except for case.
    package static func suggestion(for word: String, among candidates: [String]) -> String? {
        let lowered = Array(word.lowercased())
        guard lowered.count >= 3 else {
            return candidates.first { $0.lowercased() == word.lowercased() }
        }
        var best: (name: String, distance: Int)?
        for candidate in candidates {
            let other = Array(candidate.lowercased())
            let allowed = max(1, min(lowered.count, other.count) / 3)
            // Each change alters the length by at most one.
            guard abs(lowered.count - other.count) <= allowed else { continue }
            let distance = distance(lowered, other)
            if distance <= allowed, distance < best?.distance ?? .max {
                best = (candidate, distance)
            }
        }
        if let best { return best.name }
        let longer = candidates.filter { $0.lowercased().hasPrefix(word.lowercased()) }
        return longer.count == 1 ? longer[0] : nil
    }

    /// The number of insertions, removals, replacements and swaps of neighbours that turn `a` into
    /// `b`.
    static func distance(_ a: [Character], _ b: [Character]) -> Int {
        var rows = [Array(0...b.count)]
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var cost = rows[i][j] + (a[i] == b[j] ? 0 : 1)
                cost = min(cost, rows[i][j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                    cost = min(cost, rows[i - 1][j - 1] + 1)
                }
                row.append(cost)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }
}
