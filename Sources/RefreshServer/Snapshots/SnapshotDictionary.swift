/// What the texts of all snapshots of the first version have in common, so that none need hold it.
///
/// It belongs to the version: another text here makes all snapshots that clients have unreadable.
enum SnapshotDictionary {
    static let bytes: [UInt8] = []
}
