/// Mistakes in `tokens` and their messages.
let tokenMistakes: [Mistake] = [
    Mistake("tokens: abc", "1:9: tokens: expected a list, found a string"),
    Mistake("tokens: [abc]", "1:10: tokens[0]: expected a mapping, found a string"),
    Mistake(
        "tokens: [{}]", "1:10: tokens[0]: `name` is missing",
        "1:10: tokens[0]: `sha256` is missing", "1:10: tokens[0]: `may` is missing"),
    Mistake(
        "tokens: [{ name: a, sha256: \(hash), may: [work], nmae: b }]",
        "1:108: tokens[0].nmae: unknown key; did you mean `name`?"),
    Mistake(
        "tokens: [{ name: \"a b\", sha256: \(hash), may: [work] }]",
        "1:18: tokens[0].name: a name has 1 to 64 letters, digits, `-`, `_` and `.`"),
    Mistake("tokens: [{ name: a, sha256: secret, may: [work] }]", "1:29: \(hashRule)"),
    Mistake(
        "tokens: [{ name: a, sha256: \(hash.dropLast()), may: [work] }]", "1:29: \(hashRule)"),
    Mistake("tokens: [{ name: a, sha256: \(hash)0, may: [work] }]", "1:29: \(hashRule)"),
    Mistake(
        "tokens: [{ name: a, sha256: \(hash.dropLast())g, may: [work] }]", "1:29: \(hashRule)"),
    Mistake(
        "tokens: [{ name: a, sha256: [], may: [work] }]",
        "1:29: tokens[0].sha256: expected a string, found a list"),
    Mistake(
        "tokens: [{ name: a, sha256: \(hash), may: wrok }]",
        "1:100: tokens[0].may: expected a list, found a string"),
    Mistake(
        "tokens: [{ name: a, sha256: \(hash), may: [wrok] }]",
        "1:101: tokens[0].may: `wrok` is not one of work, change, connect, measure, administer; did you mean `work`?"
    ),
    Mistake(
        "tokens: [{ name: a, sha256: \(hash), may: [everything] }]",
        "1:101: tokens[0].may: `everything` is not one of work, change, connect, measure, "
            + "administer"
    ),
    Mistake(
        "tokens: [{ name: a, sha256: \(hash), may: [work, work] }]",
        "1:107: tokens[0].may: `work` occurs twice"),
    Mistake(
        "tokens: [{ name: a, sha256: \(hash), may: [] }]",
        "1:100: tokens[0].may: at least one of work, change, connect, measure, administer "
            + "is required"
    ),
    Mistake(
        "tokens: [{ name: a, sha256: \(hash), may: [work], feeds: [packges] }]\n"
            + "feeds: { packages: { backend: demo } }",
        "1:116: tokens[0].feeds: `packges`: there is no such feed; did you mean `packages`?"),
    Mistake(
        "tokens:\n  - { name: a, sha256: \(hash), may: [work] }\n"
            + "  - { name: a, sha256: \(otherHash), may: [work] }",
        "3:13: tokens[1].name: `a` occurs twice"),
    Mistake(
        "tokens:\n  - { name: a, sha256: \(hash), may: [work] }\n"
            + "  - { name: b, sha256: \(hash.uppercased()), may: [work] }",
        "3:24: tokens[1].sha256: another token has the same hash"),
]

private let hash = "5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8"
private let otherHash = "6e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8"
private let hashRule =
    "tokens[0].sha256: a SHA-256 is 64 hexadecimal digits; `printf %s TOKEN | sha256sum` "
    + "computes it"
