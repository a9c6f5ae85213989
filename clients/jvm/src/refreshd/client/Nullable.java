package refreshd.client;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import javax.annotation.Nonnull;
import javax.annotation.meta.TypeQualifierNickname;
import javax.annotation.meta.When;

/**
 * Marks a parameter, a result or a field that may be {@code null}. All others of this package are
 * never {@code null} ({@link NonNullByDefault}).
 *
 * <p>Kotlin and other tools that know JSR 305 read this annotation by its meta-annotations. They
 * exist at compile time only, so no class of JSR 305 is needed at run time.
 */
@Documented
@TypeQualifierNickname
@Nonnull(when = When.MAYBE)
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.METHOD, ElementType.PARAMETER, ElementType.FIELD})
public @interface Nullable {}
