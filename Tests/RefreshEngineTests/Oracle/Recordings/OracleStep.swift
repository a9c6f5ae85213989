/// One event of a trace, with the values along the view's axis and the number of its load.
enum OracleStep {
    case dragBegan
    case scrolled(Double)
    /// `latched`: the list's dragging flag stays set.
    case dragEnded(decelerates: Bool, latched: Bool)
    case dragCancelled(decelerates: Bool)
    case decelerationEnded
    case flagsSet(dragging: Bool?, tracking: Bool?, decelerating: Bool?)

    case contentSet(Double)
    case viewportSet(Double)
    case insetsSet(Moment.Sides)
    case safeAreaSet(Moment.Sides)

    case requested(Moment.Control)
    case stopped(Moment.Control)
    /// The delegate begins the load or refuses it. `load` is its number; nil if there is no such
    /// load.
    case began(Moment.Control, Bool, load: Int?)
    case finished(Moment.Control, Bool, load: Int?)
    case answered(Bool, count: Int, load: Int?)
    case enabled(Moment.Control, Bool)
    case systemControlFired
    /// The refresh control is replaced by one with this state.
    case controlReplaced(length: Double?, state: Moment.PeerState)
    case lengthSet(Double)
    case pageSizeSet(Int)
    case nothing

    /// Reads an event. `load` is the number of its load.
    ///
    /// - Throws: `Unknown`.
    init(
        _ event: OracleTrace.Event, of record: OracleRun.Recorded, isHorizontal: Bool, load: Int?
    ) throws {
        let isSuccess = event.success ?? true
        func along(_ height: Double?, _ width: Double?) -> Double {
            (isHorizontal ? width : height) ?? 0
        }
        switch event.type {
        case "dragBegin": self = .dragBegan
        case "scroll": self = .scrolled(along(event.y, event.x))
        case "dragEnd":
            self = .dragEnded(
                decelerates: event.decelerate ?? false,
                latched: event.draggingStaysTrue ?? false)
        case "dragCancel": self = .dragCancelled(decelerates: event.decelerate ?? false)
        case "decelerateEnd": self = .decelerationEnded
        case "phaseFlags":
            self = .flagsSet(
                dragging: event.dragging, tracking: event.tracking,
                decelerating: event.decelerating)
        case "setContentSize": self = .contentSet(along(event.height, event.width))
        case "setViewport": self = .viewportSet(along(event.height, event.width))
        case "setContentInset": self = .insetsSet(record.appInsets)
        case "setSafeArea":
            self = .safeAreaSet(
                isHorizontal
                    ? Moment.Sides(start: event.left ?? 0, end: event.right ?? 0)
                    : Moment.Sides(start: event.top ?? 0, end: event.bottom ?? 0))
        case "refresh": self = .requested(.refresh)
        case "loadMore": self = .requested(.loadMore)
        case "stopRefresh": self = .stopped(.refresh)
        case "stopLoadMore": self = .stopped(.loadMore)
        case "refreshBegin": self = .began(.refresh, isSuccess, load: load)
        case "loadMoreBegin": self = .began(.loadMore, isSuccess, load: load)
        case "refreshFinish": self = .finished(.refresh, isSuccess, load: load)
        case "loadMoreFinish": self = .finished(.loadMore, isSuccess, load: load)
        case "respond": self = .answered(isSuccess, count: event.count ?? 0, load: load)
        case "enableRefresh": self = .enabled(.refresh, event.value ?? true)
        case "enableLoadMore": self = .enabled(.loadMore, event.value ?? true)
        case "systemRefreshFires": self = .systemControlFired
        case "replaceRefreshControl":
            self = .controlReplaced(
                length: record.refreshLength ?? event.refreshLength,
                state: record.moment.after.pull.state)
        case "setRefreshLength": self = .lengthSet(event.refreshLength ?? 0)
        case "setPageSize": self = .pageSizeSet(event.count ?? 0)
        // Adding the view to a window has no effect on custom controls. Idling has no effect at
        // all.
        case "setWindow", "idle": self = .nothing
        default: throw Unknown(type: event.type)
        }
    }

    /// An event that does not exist in the format.
    struct Unknown: Error { var type: String }
}
