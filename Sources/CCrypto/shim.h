/*
 * The two functions of OpenSSL's libcrypto that checking a token takes. Header only; nothing here decides
 * anything. See docs/decisions/0008-sha-256.md.
 */
#ifndef CCRYPTO_SHIM_H
#define CCRYPTO_SHIM_H

#include <openssl/crypto.h>
#include <openssl/sha.h>

/* SHA256 may be a macro with a NULL default in other releases: one name, one form. */
static inline void ccrypto_sha256(const unsigned char *bytes, size_t count, unsigned char *digest)
{
	SHA256(bytes, count, digest);
}

/* Takes as long whatever the bytes are. */
static inline int ccrypto_differs(const void *left, const void *right, size_t count)
{
	return CRYPTO_memcmp(left, right, count);
}

#endif
