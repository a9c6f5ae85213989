package javax.annotation.meta;

/** Declares JSR 305's annotation for the compiler. It is not part of the jar. */
public @interface TypeQualifierNickname {}
