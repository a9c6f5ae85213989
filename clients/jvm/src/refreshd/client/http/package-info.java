/** A {@link refreshd.client.Transport} over {@code java.net.http}, for every JVM but Android. */
@NonNullByDefault
package refreshd.client.http;

import refreshd.client.NonNullByDefault;
