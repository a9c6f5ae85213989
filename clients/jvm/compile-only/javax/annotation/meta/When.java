package javax.annotation.meta;

/** Declares JSR 305's constants for the compiler. They are not part of the jar. */
public enum When {
    /** Always. */
    ALWAYS,
    /** Not known. */
    UNKNOWN,
    /** Perhaps. */
    MAYBE,
    /** Never. */
    NEVER
}
