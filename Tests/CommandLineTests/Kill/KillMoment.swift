/// The moment at which the daemon is killed. There is one for each phase of a refresh and of a load
/// more.
enum KillMoment: Int, CaseIterable, Comparable {
    /// After `welcome`, before the first request.
    case greeted
    /// The finger is down and pulls.
    case pulling
    /// The client has sent the release of the finger. The daemon may not have read it yet.
    case released
    /// The client has received the beginning of the refresh.
    case refreshBegan
    /// The backend has received the call for the first page, and works on it.
    case refreshCalled
    /// The backend has answered. The daemon may not have read the answer yet.
    case refreshAnswered
    /// The client has received the items.
    case refreshed
    /// The result is displayed.
    case refreshHeld
    /// The room closes.
    case refreshClosing
    /// The list is at rest.
    case resting
    /// The finger moves the list towards its end.
    case approaching
    /// The list has reached the threshold of the next page.
    case moreRequested
    case moreBegan
    case moreCalled
    case moreAnswered
    case more
    /// The room of the indicator closes.
    case moreClosing

    static func < (one: KillMoment, other: KillMoment) -> Bool { one.rawValue < other.rawValue }

    /// Returns the moment that a daemon's message marks, in a refresh or in a load more.
    static func marked(by message: String) -> KillMoment? {
        switch message {
        case "loading refresh": .refreshBegan
        case "loading more": .moreBegan
        default: nil
        }
    }
}

/// The moment at which the restarted daemon is killed too. There is one for each phase of the load
/// that this daemon repeats.
enum KillAgain: CaseIterable {
    /// The client has resumed its session.
    case resumed
    /// The client has received the beginning of the load.
    case began
    /// The backend has received the repeated call, and works on it.
    case called
    /// The backend has answered.
    case answered
}
