internal import RefreshProtocol

extension AdmissionVerdict {
    /// Parses the result of an authentication in a journal. Source: docs/journal.md, "Inputs".
    init(_ members: JournalMembers) throws(JournalLineError) {
        let result: Result = try members.choice("result")
        switch result {
        case .refused: self = .refused(try members.choice("reason"))
        case .unavailable: self = .unavailable(try members.choice("reason"))
        case .admitted:
            self = .admitted(
                Identity(
                    subject: try members.textIfAny("subject"), feeds: try Self.feeds(members),
                    expires: try members.integerIfAny("expires").map {
                        Instant(microseconds: Int64($0))
                    }))
        }
    }

    private static func feeds(_ members: JournalMembers) throws(JournalLineError) -> PermittedFeeds
    {
        guard let values = try members.listIfAny("feeds") else { return .all }
        let names = values.compactMap(\.string)
        guard names.count == values.count else {
            throw JournalLineError("has `feeds` that are not names")
        }
        return .only(names)
    }
}
