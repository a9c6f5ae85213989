import RefreshEngine
import RefreshProtocol

/// The views of the tests: a viewport of 800 points, a content of 2000 points, and pages of ten
/// items.
extension ViewOptions {
    static func iq(
        length: Double = 60, _ change: (inout ViewOptions) -> Void = { _ in }
    ) -> ViewOptions {
        make(.iqpulltorefresh, length: length, change)
    }

    static func uikit(_ change: (inout ViewOptions) -> Void = { _ in }) -> ViewOptions {
        make(.uikit, length: 60, change)
    }

    private static func make(
        _ profile: Profile, length: Double, _ change: (inout ViewOptions) -> Void
    ) -> ViewOptions {
        var options = ViewOptions(
            profile: profile, paging: PagingOptions(style: .page, first: 1, size: 10),
            isClientBacked: false, limits: Limits())
        options.refresh?.length = length
        options.followOurRules()
        change(&options)
        return options
    }
}

extension ViewOptions {
    /// Replaces the rules that the profile copies from its original (a library or platform) by
    /// those of docs/engine.md. Keeps the profile's numbers.
    private mutating func followOurRules() {
        attention = .everything
        refresh?.slop = 10
        refresh?.onCancel = .disarm
        refresh?.firesAgain = false
        loadMore?.onCancel = .disarm
        refresh?.whileLoading = .cancel
        loadMore?.rearm = .content
        loadMore?.needsApproach = true
        loadMore?.whileRefreshing = .reject
        loadMore?.fillPagesMax = 5
    }
}

extension GeometryChange {
    static func sizes(
        viewport: Double = 800, content: Double = 2000, top: Double = 0, bottom: Double = 0,
        safeTop: Double = 0, safeBottom: Double = 0
    ) -> GeometryChange {
        var change = GeometryChange()
        change.viewport = SizeChange(width: 390, height: viewport)
        change.content = SizeChange(width: 390, height: content)
        change.insets = EdgeInsets(top: top, bottom: bottom)
        change.safeArea = EdgeInsets(top: safeTop, bottom: safeBottom)
        return change
    }
}

extension LoadID {
    /// Load `number` of the view under test.
    init(_ number: UInt32) { self.init(generation: 1, number: number) }
}

extension ViewOptions {
    /// The options of an unchanged profile, with pages of ten items.
    static func of(
        _ profile: Profile, _ change: (inout ViewOptions) -> Void = { _ in }
    ) -> ViewOptions {
        var options = ViewOptions(
            profile: profile, paging: PagingOptions(style: .page, first: 1, size: 10),
            isClientBacked: false, limits: Limits())
        change(&options)
        return options
    }
}
