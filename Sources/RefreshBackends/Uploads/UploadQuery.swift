internal import RefreshBroker

/// What a client of the feed `uploads` searches for, and the order of the result. Source:
/// docs/backends.md, "The feed uploads".
struct UploadQuery: Hashable, Sendable {
    enum Order: String, CaseIterable, Sendable {
        /// By time, the newest first.
        case newest
        /// By name, in byte order.
        case name
        /// By installed size, the largest first.
        case size
    }

    /// The text that the name or the description must contain, in lower case. An empty text matches
    /// every upload.
    var text = ""
    /// The section, or an empty text for all sections.
    var section = ""
    /// Whether only uploads of high urgency match.
    var isUrgentOnly = false
    var order = Order.newest

    init() {}

    /// Reads the parameters of a request. An unknown order counts as `newest`.
    init(_ request: LoadRequest) {
        text = request.value(of: "q")?.text.lowercased() ?? ""
        section = request.value(of: "section")?.text ?? ""
        isUrgentOnly = request.value(of: "urgent") == .boolean(true)
        order = request.value(of: "sort").flatMap { Order(rawValue: $0.text) } ?? .newest
    }

    func matches(_ upload: Upload) -> Bool {
        if isUrgentOnly, upload.urgency != .high { return false }
        if !section.isEmpty, upload.package.section != section { return false }
        return text.isEmpty || upload.package.name.lowercased().contains(text)
            || upload.package.description.lowercased().contains(text)
    }

    /// Returns whether `one` comes before `other`. If the order does not distinguish them, the
    /// newer upload comes first.
    func precedes(_ one: Upload, _ other: Upload) -> Bool {
        let (mine, theirs) = (one.package, other.package)
        switch order {
        case .newest: break
        case .name:
            if mine.name != theirs.name { return mine.name < theirs.name }
        case .size:
            let (size, otherSize) = (mine.installedKiB ?? 0, theirs.installedKiB ?? 0)
            if size != otherSize { return size > otherSize }
        }
        return one.number > other.number
    }
}
