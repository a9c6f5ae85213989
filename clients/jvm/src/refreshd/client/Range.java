package refreshd.client;

/** The numbers that an option accepts. A number outside makes its whole message invalid. */
final class Range {
    private final double minimum;
    private final double maximum;
    /** Whether the minimum itself is outside. */
    private final boolean isOpen;

    private Range(double minimum, double maximum, boolean isOpen) {
        this.minimum = minimum;
        this.maximum = maximum;
        this.isOpen = isOpen;
    }

    static Range from(double minimum) {
        return new Range(minimum, Double.POSITIVE_INFINITY, false);
    }

    static Range above(double bound) {
        return new Range(bound, Double.POSITIVE_INFINITY, true);
    }

    static Range between(double minimum, double maximum) {
        return new Range(minimum, maximum, false);
    }

    static Range aboveTo(double bound, double maximum) {
        return new Range(bound, maximum, true);
    }

    /** Throws IllegalArgumentException if a value is not in the range. */
    void check(String name, Number value) {
        double number = value.doubleValue();
        boolean isHigh = isOpen ? number > minimum : number >= minimum;
        if (!isHigh || number > maximum) { // also NaN
            boolean isFinite = !Double.isNaN(number) && !Double.isInfinite(number);
            throw new IllegalArgumentException(name + " is "
                    + (isFinite ? Json.write(number) : value) + ", and must be " + this);
        }
    }

    @Override
    public String toString() {
        String low = (isOpen ? "above " : "from ") + Json.write(minimum);
        return Double.isInfinite(maximum) ? low : low + " to " + Json.write(maximum);
    }
}
