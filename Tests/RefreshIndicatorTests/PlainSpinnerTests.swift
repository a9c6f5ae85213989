import RefreshProtocol
import Testing

@testable import RefreshIndicator

@Suite("The plain spinner")
struct PlainSpinnerTests {
    @Test("A pull sets the drawn part and the opacity", arguments: [0.0, 0.25, 0.5, 0.99995, 1])
    func pull(_ progress: Double) {
        for state in [EdgeState.pulling, .approaching] {
            let frame = PlainSpinner.frame(state, progress: progress)
            #expect(abs(frame.progress - progress) <= 0.00005)
            #expect(frame.alpha == frame.progress)
            #expect(frame.scale == 1 && frame.rotation == 0 && frame.spin == 0)
        }
    }

    @Test("The numbers of a frame are rounded to four decimal places")
    func rounding() {
        #expect(PlainSpinner.frame(.pulling, progress: 0.123456789).progress == 0.1235)
        #expect(PlainSpinner.frame(.pulling, progress: 1.0 / 3).alpha == 0.3333)
    }

    @Test(
        "If a release would begin a load, the spinner has made half a turn and has the scale 1.5"
    )
    func eligible() {
        let frame = PlainSpinner.frame(.eligible, progress: 1)
        #expect(frame.progress == 1 && frame.alpha == 1 && frame.scale == 1.5)
        #expect(frame.rotation == 3.1416 && frame.spin == 0)
    }

    @Test("The spinner of a load turns once a second", arguments: [EdgeState.refreshing, .loading])
    func turning(_ state: EdgeState) {
        let frame = PlainSpinner.frame(state, progress: 0)
        #expect(frame.progress == 1 && frame.alpha == 1 && frame.scale == 1)
        #expect(frame.rotation == 3.1416)
        #expect(abs(frame.spin - 2 * Double.pi) < 0.0001)
    }

    @Test(
        "The spinner is hidden in states that show neither a pull nor a load",
        arguments: [EdgeState.disabled, .idle, .triggered, .failed, .noMore])
    func hidden(_ state: EdgeState) {
        #expect(PlainSpinner.frame(state, progress: 0) == .hidden)
    }
}
