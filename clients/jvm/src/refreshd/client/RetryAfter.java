package refreshd.client;

import java.text.ParseException;
import java.text.SimpleDateFormat;
import java.util.Locale;
import java.util.TimeZone;

/** Reads the header `Retry-After` (RFC 9110, section 10.2.3). */
final class RetryAfter {
    /** A longer time counts as this one, as in `retryAfterMs` of the daemon. */
    private static final long WAIT_MAX_MS = 24 * 60 * 60 * 1000L;

    private RetryAfter() {}

    /**
     * Returns the time to wait, from 0 to one day.
     *
     * @param header seconds, or a date; null or another text: 0
     * @param nowMs the present time in ms since 1970
     */
    static long waitMs(@Nullable String header, long nowMs) {
        String text = header == null ? "" : header.trim();
        if (text.matches("[0-9]{1,9}")) {
            return Math.min(Long.parseLong(text) * 1000, WAIT_MAX_MS);
        }
        SimpleDateFormat format =
                new SimpleDateFormat("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US);
        format.setTimeZone(TimeZone.getTimeZone("GMT"));
        try {
            long date = format.parse(text).getTime();
            return Math.max(0, Math.min(date - nowMs, WAIT_MAX_MS));
        } catch (ParseException noDate) {
            return 0;
        }
    }
}
