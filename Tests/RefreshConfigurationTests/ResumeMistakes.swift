/// Mistakes in `resume` and their messages.
let resumeMistakes: [Mistake] = [
    Mistake(
        "limits: { frameBytesMax: 4096 }",
        "1:9: limits: a `hello` of `tokenBytesMax`, `snapshotBytesMax` and 512 bytes may have "
            + "41472 bytes, which is more than `frameBytesMax`, 4096"),
    Mistake(
        "limits: { snapshotBytesMax: 65536 }",
        "1:9: limits: a `hello` of `tokenBytesMax`, `snapshotBytesMax` and 512 bytes may have "
            + "74240 bytes, which is more than `frameBytesMax`, 65536"),
    Mistake(
        "limits: { tokenBytesMax: 65536, resumeWindowMs: 0 }",
        "1:9: limits: a `hello` of `tokenBytesMax` and 512 bytes may have 66048 bytes, "
            + "which is more than `frameBytesMax`, 65536"),
    Mistake(
        "limits: { receivedBytesPerSecondMax: 32767 }",
        "1:9: limits: a message may have `frameBytesMax` bytes, 65536, which is more than twice "
            + "`receivedBytesPerSecondMax`, 65534: it would never be accepted"),
    Mistake("resume: abc", "1:9: resume: expected a mapping, found a string"),
    Mistake(
        "resume: { stateFoldr: /x }",
        "1:11: resume.stateFoldr: unknown key; did you mean `stateFolder`?"),
    Mistake(
        "resume: { stateFolder: [] }", "1:24: resume.stateFolder: expected a string, found a list"),
    Mistake(
        "resume: { snapshots: 3 }", "1:22: resume.snapshots: expected true or false, found `3`"),
    Mistake("resume: { keys: k1 }", "1:17: resume.keys: expected a list, found a string"),
    Mistake("resume: { keys: [] }", "1:17: resume.keys: at least one key is required"),
    Mistake(
        "resume: { keys: [k1] }", "1:18: resume.keys[0]: expected a mapping, found a string"),
    Mistake(
        "resume: { keys: [{}] }", "1:18: resume.keys[0]: `id` is missing",
        "1:18: resume.keys[0]: `file` is missing"),
    Mistake(
        "resume: { keys: [{ id: k1, path: x }] }",
        "1:28: resume.keys[0].path: unknown key; known keys: id, file",
        "1:18: resume.keys[0]: `file` is missing"),
    Mistake(
        "resume: { keys: [{ id: k.1, file: x }] }",
        "1:24: resume.keys[0].id: an id has 1 to 32 letters, digits, `-` and `_`"),
    Mistake(
        "resume: { keys: [{ id: k1, file: x }, { id: k1, file: y }] }",
        "1:45: resume.keys[1].id: `k1` occurs twice"),
]
