package javax.annotation.meta;

import java.lang.annotation.ElementType;

/** Declares JSR 305's annotation for the compiler. It is not part of the jar. */
public @interface TypeQualifierDefault {
    /** The places to which the default applies. */
    ElementType[] value();
}
