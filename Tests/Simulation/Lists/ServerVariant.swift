import RefreshProtocol

/// A server that breaks one rule on purpose, so that the tests show that each rule for readers
/// (clients that show model lists) can fail.
package enum ServerVariant: String, CaseIterable, Sendable {
    case correct
    /// The backend's changes never reach the daemon's answers.
    case servesOldPages
    /// After a change of a feed, loads join calls and accept cached pages from before the change.
    case joinsOldCalls
    /// A refresh at depth loses its last item.
    case losesItems
    /// Each refresh requests only the first page.
    case ignoresDepth
    /// The list is not moved when the item that is read moves.
    case ignoresAnchors
    /// Items of one query are sent for another one.
    case mixesQueries
    /// A new query has no effect, although its message is acknowledged.
    case ignoresQueries
    /// The list is emptied when a load fails.
    case emptiesListOnError
    /// If a page of a refresh at depth fails, the pages before it replace the list.
    case sendsPartsOfFailures

    /// The rule that this server breaks. Nil if it breaks none.
    package var brokenRule: ReaderRule? {
        switch self {
        case .correct: nil
        case .servesOldPages, .joinsOldCalls, .losesItems: .list
        case .ignoresDepth, .ignoresAnchors: .place
        case .mixesQueries, .ignoresQueries: .query
        case .emptiesListOnError, .sendsPartsOfFailures: .wholeness
        }
    }
}

/// The rules for readers. The text of a failure begins with the rule in brackets.
package enum ReaderRule: String, CaseIterable, Sendable {
    /// A client shows the items of the model. They are not older than the last change that was
    /// reported before their load began.
    case list
    /// The item at the top of the screen moves only with a finger or by a command.
    case place
    /// Items of a query never appear under another query.
    case query
    /// After an error, the client shows the complete old list.
    case wholeness
}
