/// Why nobody could say who a client is: the words of the log.
package enum AdmissionTrouble: String, CaseIterable, Error, Sendable {
    /// The service was not reached, or hung up.
    case unreachable = "the service cannot be reached"
    case untrusted = "the certificate of the service is not trusted"
    case late = "no answer in time"
    /// More clients ask than may at one time, and this one's time is over.
    case crowded = "no turn in time"
    /// It may come in, and there are `sessionsMax` sessions.
    case full = "as many sessions as may be"
    /// It may come in, and there is no memory for it.
    case short = "no memory for it"
    /// A status other than 200, redirects among them.
    case status = "the service answered with another status"
    case malformed = "the answer is not understood"
    case tooLarge = "the answer is too large"
}
