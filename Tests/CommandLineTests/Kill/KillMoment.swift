/// When the daemon is killed: each phase of a refresh and of a load more.
enum KillMoment: Int, CaseIterable, Comparable {
    /// Behind `hello`, before anything was asked for.
    case greeted
    /// The finger is down, and pulls.
    case pulling
    /// The release was sent, and may have been read or not.
    case released
    /// The client knows that the refresh loads.
    case refreshTold
    /// The backend has been asked for the first page, and works on it.
    case refreshCalled
    /// The backend has answered, and nobody knows how far that got.
    case refreshAnswered
    /// The client has the items.
    case refreshed
    /// What came of it is shown.
    case refreshHeld
    /// The room closes.
    case refreshClosing
    /// All is at rest.
    case resting
    /// The finger is on its way to the end of the list.
    case approaching
    /// The list is where the next page is asked for.
    case moreAsked
    case moreTold
    case moreCalled
    case moreAnswered
    case more
    /// The room of the indicator closes.
    case moreClosing

    static func < (one: KillMoment, other: KillMoment) -> Bool { one.rawValue < other.rawValue }

    /// The one that the message of a daemon brings, in a refresh or in a load more.
    static func told(by message: String) -> KillMoment? {
        switch message {
        case "loading refresh": .refreshTold
        case "loading more": .moreTold
        default: nil
        }
    }
}

/// When a daemon is killed that was started again while a load ran: each phase of the load that it
/// begins again.
enum KillAgain: CaseIterable {
    /// The client has resumed its session.
    case resumed
    /// The client knows that the load runs.
    case told
    /// The backend has received the call once more, and works on it.
    case called
    /// The backend has answered.
    case answered
}
