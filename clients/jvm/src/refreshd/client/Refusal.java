package refreshd.client;

import java.net.URI;

/** Explains an upgrade that was answered with an HTTP status other than 101. */
final class Refusal {
    /** The path at which a daemon serves sessions. */
    static final String PATH = "/v1/session";

    private Refusal() {}

    /**
     * Returns what was refused, and why.
     *
     * @param body the body of the answer, or another explanation; may be empty
     */
    static String text(URI url, int status, String body) {
        StringBuilder text = new StringBuilder().append(url)
                .append(" was refused with the status ").append(status);
        boolean isElsewhere = !PATH.equals(url.getPath());
        if (isElsewhere) {
            text.append("; a daemon serves sessions at the path ").append(PATH);
        }
        if (!body.isEmpty()) {
            text.append(": ").append(explanation(body));
        } else if (!isElsewhere) {
            text.append(guess(url, status));
        }
        return text.toString();
    }

    /** The sentence of a daemon's answer, which is JSON; any other body as it is. */
    private static String explanation(String body) {
        try {
            JsonObject answer = JsonObject.parse(body);
            String message = answer.string("message");
            if (message != null) {
                String page = answer.string("page");
                return message + " (" + answer.string("code") + ")"
                        + (page == null ? "" : ", see " + page);
            }
        } catch (JsonException notJSON) {
            // It is the answer of a proxy, or an explanation of the transport.
        }
        return body;
    }

    /** The likely reason, if the transport does not have the daemon's explanation. */
    private static String guess(URI url, int status) {
        switch (status) {
            case 400:
                return "; the daemon does not accept the subprotocol "
                        + ProtocolVersion.SUBPROTOCOL + " or the host " + url.getAuthority()
                        + " (on a loopback address it accepts only loopback names)";
            case 403:
                return "; the daemon does not accept the origin, or the proxy before it";
            case 404:
                return "; the server is not a daemon, or its proxy does not forward this path";
            default:
                return "";
        }
    }
}
