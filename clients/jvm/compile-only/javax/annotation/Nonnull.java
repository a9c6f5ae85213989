package javax.annotation;

import javax.annotation.meta.When;

/** Declares JSR 305's annotation for the compiler. It is not part of the jar. */
public @interface Nonnull {
    /** When the value is not null. */
    When when() default When.ALWAYS;
}
