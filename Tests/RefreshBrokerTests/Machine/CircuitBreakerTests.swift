import RefreshProtocol
import Testing

@testable import RefreshBroker

/// An open breaker prevents calls of a backend that has failed too often. After the open time, one
/// load calls the backend as a probe. Source: docs/backends.md, "Circuit breaker".
@Suite("Circuit breaker")
struct CircuitBreakerTests {
    private func breaker(failures: Int = 3, openMs: Int = 100) -> CircuitBreaker {
        var policy = BackendPolicy.Breaker()
        policy.failures = failures
        policy.openMs = openMs
        return CircuitBreaker(policy)
    }

    @Test("The configured number of consecutive failures opens the breaker")
    func opening() {
        var breaker = breaker()
        for verdict in [.failed, .failed, .alive, .failed, .unknown, .failed]
            as [CircuitBreaker.Verdict]
        {
            breaker.recordCallEnd(verdict, wasProbe: false, at: .ms(0))
        }
        #expect(breaker.state == .closed)
        breaker.recordCallEnd(.failed, wasProbe: false, at: .ms(7))
        #expect(breaker.state == .open)
        #expect(breaker.timesOpened == 1)
        #expect(breaker.refusal(at: .ms(7)) == .init(retryAfterMs: 100))
        #expect(breaker.refusal(at: .ms(106.5)) == .init(retryAfterMs: 1))
        #expect(breaker.refusal(at: .ms(107)) == nil)
    }

    @Test("After the open time, one probe may run, and its success closes the breaker")
    func probe() {
        var breaker = breaker(failures: 1)
        breaker.recordCallEnd(.failed, wasProbe: false, at: .ms(0))
        let isProbe = breaker.recordCallStart()
        #expect(isProbe, "the first call after the open time is not the probe")
        #expect(breaker.state == .halfOpen)
        #expect(breaker.refusal(at: .ms(500)) == .init(retryAfterMs: nil))
        // A call that began before the breaker opened has no effect when it ends.
        breaker.recordCallEnd(.alive, wasProbe: false, at: .ms(500))
        breaker.recordCallEnd(.failed, wasProbe: false, at: .ms(500))
        #expect(breaker.state == .halfOpen)
        breaker.recordCallEnd(.alive, wasProbe: true, at: .ms(500))
        #expect(breaker.state == .closed)
        let isAnother = breaker.recordCallStart()
        #expect(!isAnother)
    }

    @Test("A failed probe doubles the open time up to 10 × `openMs`. A success restores `openMs`")
    func doubling() {
        var breaker = breaker(failures: 1)
        breaker.recordCallEnd(.failed, wasProbe: false, at: .ms(0))
        var times: [Int?] = []
        var now = Instant.ms(0)
        for _ in 0..<6 {
            let refusal = breaker.refusal(at: now)
            times.append(refusal?.retryAfterMs)
            now = now.advanced(byMilliseconds: Double(refusal?.retryAfterMs ?? 0))
            #expect(breaker.recordCallStart() == true)
            breaker.recordCallEnd(.failed, wasProbe: true, at: now)
        }
        #expect(times == [100, 200, 400, 800, 1000, 1000])
        #expect(breaker.timesOpened == 7)
        _ = breaker.recordCallStart()
        breaker.recordCallEnd(.alive, wasProbe: true, at: now)
        breaker.recordCallEnd(.failed, wasProbe: false, at: now)
        #expect(breaker.refusal(at: now) == .init(retryAfterMs: 100))
    }

    @Test("After a cancelled probe, the next call is the probe, and the open time does not change")
    func cancelledProbe() {
        var breaker = breaker(failures: 1)
        breaker.recordCallEnd(.failed, wasProbe: false, at: .ms(0))
        #expect(breaker.recordCallStart() == true)
        breaker.recordCallEnd(.unknown, wasProbe: true, at: .ms(200))
        #expect(breaker.state == .open)
        #expect(breaker.timesOpened == 1)
        #expect(breaker.refusal(at: .ms(200)) == nil)
        #expect(breaker.recordCallStart() == true)
        breaker.recordCallEnd(.failed, wasProbe: true, at: .ms(200))
        #expect(breaker.refusal(at: .ms(200)) == .init(retryAfterMs: 200))
    }

    @Test("If `failures` is 0, the breaker never opens")
    func none() {
        var breaker = breaker(failures: 0)
        for _ in 0..<1000 { breaker.recordCallEnd(.failed, wasProbe: false, at: .ms(0)) }
        #expect(breaker.state == .closed)
    }

    @Test("Only the codes for unavailable, timed out and failed count as failures")
    func verdicts() {
        let failed = FaultCode.allCases.filter { CircuitBreaker.Verdict($0) == .failed }
        #expect(failed == [.backendUnavailable, .backendTimedOut, .backendFailed])
    }
}
