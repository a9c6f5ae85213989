/// What the other side of a feed says, where a scenario can say it.
package enum FeedWord: Hashable, Sendable {
    /// It has newer data.
    case changed
    /// Its running loads are so far, 0...1.
    case progress(Double)
    /// A call of its running loads failed; another one follows after milliseconds.
    case retrying(afterMs: Double)
}
