package refreshd.client;

/** The five numbers with which a client draws a plain spinner. */
public final class Spinner {
    private final JsonObject members;

    Spinner(JsonObject members) {
        this.members = members;
    }

    /**
     * Returns the drawn part of the spinner.
     *
     * @return 0 to 1
     */
    public double progress() {
        return members.number("progress", 0);
    }

    /**
     * Returns the opacity.
     *
     * @return 0 (not visible) to 1
     */
    public double alpha() {
        return members.number("alpha", 0);
    }

    /**
     * Returns the scale.
     *
     * @return 1 for the natural size
     */
    public double scale() {
        return members.number("scale", 1);
    }

    /**
     * Returns the rotation.
     *
     * @return radians
     */
    public double rotation() {
        return members.number("rotation", 0);
    }

    /**
     * Returns how fast the spinner turns by itself.
     *
     * @return radians per second; 0 while it does not turn
     */
    public double spin() {
        return members.number("spin", 0);
    }
}
