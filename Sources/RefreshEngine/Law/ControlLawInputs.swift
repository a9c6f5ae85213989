/// The inputs of a view's control law besides the options and the geometry of the view. While these
/// inputs, the options and the geometry do not change, the law does not change.
package struct ControlLawInputs: Hashable, Sendable, Codable {
    var isPullSeen = false
    var mayArm = false
    var mayFireNow = false
    var isRoomUndecided = false
    var isRangeUndecided = false
    var isRefreshShown = false
    var floorHasTheList = false
    var comesBack = false
    var isCoolingDown = false
    var isEndIdle = false
    var isEndSeen = false
    var mayRequest = false
    var isBackingOff = false
    var isEndRequested = false
    var isMoreRenewed = false
    var hasEnd = false
    @OmittedIfUsual var mayRequestAgain: Bool
    @OmittedIfUsual var restShift: Double
    var heldAt: Double?
    var sentStart = 0.0
    var sentEnd = 0.0
    var revealed = 0.0
    var latency = 0.0
    var items = 0
    var isRoomLanding = false

    // The names in snapshots and journals.
    private enum CodingKeys: String, CodingKey {
        case isPullSeen, mayArm, mayFireNow, isRoomUndecided, isRangeUndecided, isRefreshShown
        case floorHasTheList, comesBack, isCoolingDown, isEndSeen
        case isBackingOff, isMoreRenewed, hasEnd, restShift, heldAt, revealed
        case latency, items, isRoomLanding
        case isEndIdle = "isEndQuiet"
        case mayRequest = "mayAsk"
        case mayRequestAgain = "mayAskAgain"
        case isEndRequested = "isEndAskedAbout"
        case sentStart = "toldRefresh"
        case sentEnd = "toldLoadMore"
    }
}
