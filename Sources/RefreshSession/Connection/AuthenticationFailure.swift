/// Why authentication could not be completed. The raw values are the reasons in the log.
package enum AuthenticationFailure: String, CaseIterable, Error, Sendable {
    /// The connection to the external authentication service failed or was closed.
    case unreachable = "the service cannot be reached"
    case untrusted = "the certificate of the service is not trusted"
    case late = "no answer in time"
    /// Too many requests to the service were already running, and the deadline passed while this
    /// request was queued.
    case queueTimeout = "no free request slot in time"
    /// The client is authenticated, but there are already `sessionsMax` sessions.
    case full = "the session limit is reached"
    /// The client is authenticated, but there is not enough memory for a session.
    case short = "not enough memory"
    /// The status of the service's answer is not 200. Redirects are not followed.
    case status = "the service answered with a status other than 200"
    case malformed = "the answer is not understood"
    case tooLarge = "the answer is too large"
}
