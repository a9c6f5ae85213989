/*
 * The operations of OpenSSL 3's libcrypto that refreshd uses, one function each. A function that
 * creates a key returns the key, or NULL. Other functions return 1 on success. The module has no
 * code besides this header. See docs/decisions/0013-openssl.md.
 *
 * OpenSSL records each failure in an error queue of the thread, and the next TLS connection on that
 * thread would report the failure as its own. Therefore copenssl_begin and copenssl_end restore the
 * queue around every operation.
 */
#ifndef COPENSSL_SHIM_H
#define COPENSSL_SHIM_H

#include <limits.h>
#include <string.h>

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
#include <openssl/param_build.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>

#define COPENSSL_DIGEST_COUNT 32
#define COPENSSL_KEY_COUNT 32
#define COPENSSL_NONCE_COUNT 12
#define COPENSSL_TAG_COUNT 16
#define COPENSSL_COORDINATE_COUNT 32
#define COPENSSL_ED25519_COUNT 32

/* Sizes of RSA keys: the smallest that is secure, and the largest whose verification is cheap
 * enough. */
#define COPENSSL_RSA_BITS_MIN 2048
#define COPENSSL_RSA_BITS_MAX 8192
#define COPENSSL_RSA_EXPONENT_BITS_MAX 33

static inline void copenssl_begin(void)
{
	ERR_set_mark();
}

static inline int copenssl_end(int result)
{
	ERR_pop_to_mark();
	return result;
}

static inline int copenssl_sha256(const unsigned char *bytes, size_t count, unsigned char *digest)
{
	copenssl_begin();
	return copenssl_end(EVP_Digest(bytes, count, digest, NULL, EVP_sha256(), NULL) == 1);
}

static inline int copenssl_hmac(const unsigned char *secret, size_t secret_count, const unsigned char *bytes, size_t count,
				unsigned char *code)
{
	if (secret_count > INT_MAX)
		return 0;
	copenssl_begin();
	return copenssl_end(HMAC(EVP_sha256(), secret, (int)secret_count, bytes, count, code, NULL) != NULL);
}

/* Compares count bytes in constant time. */
static inline int copenssl_equal(const unsigned char *left, const unsigned char *right, size_t count)
{
	return CRYPTO_memcmp(left, right, count) == 0;
}

static inline int copenssl_random(unsigned char *bytes, size_t count)
{
	if (count > INT_MAX)
		return 0;
	copenssl_begin();
	return copenssl_end(RAND_bytes(bytes, (int)count) == 1);
}

/* Derives a key as in RFC 5869, with SHA-256. An empty salt counts as 32 bytes with the value 0. */
static inline int copenssl_hkdf(const unsigned char *secret, size_t secret_count, const unsigned char *salt, size_t salt_count,
				const unsigned char *info, size_t info_count, unsigned char *out, size_t out_count)
{
	OSSL_PARAM parameters[5], *next = parameters;
	EVP_KDF_CTX *context = NULL;
	EVP_KDF *function;
	int result = 0;

	copenssl_begin();
	*next++ = OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)"SHA256", 0);
	*next++ = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)secret, secret_count);
	if (salt_count > 0)
		*next++ = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, (void *)salt, salt_count);
	if (info_count > 0)
		*next++ = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)info, info_count);
	*next = OSSL_PARAM_construct_end();
	function = EVP_KDF_fetch(NULL, "HKDF", NULL);
	if (function)
		context = EVP_KDF_CTX_new(function);
	if (context)
		result = EVP_KDF_derive(context, out, out_count, parameters) == 1;
	EVP_KDF_CTX_free(context);
	EVP_KDF_free(function);
	return copenssl_end(result);
}

/*
 * AES-256-GCM of count bytes and a head that is authenticated but not encrypted. If seals is 1,
 * encrypts and writes the tag. If seals is 0, decrypts and checks the tag. If the function returns
 * 0, the caller must not use the contents of out.
 */
static inline int copenssl_gcm(int seals, const unsigned char *key, const unsigned char *nonce, const unsigned char *head,
			       size_t head_count, const unsigned char *bytes, size_t count, unsigned char *out, unsigned char *tag)
{
	unsigned char rest[EVP_MAX_BLOCK_LENGTH];
	EVP_CIPHER_CTX *context;
	int done, result = 0;

	if (head_count > INT_MAX || count > INT_MAX)
		return 0;
	copenssl_begin();
	context = EVP_CIPHER_CTX_new();
	if (context && EVP_CipherInit_ex2(context, EVP_aes_256_gcm(), key, nonce, seals, NULL) == 1 &&
	    (head_count == 0 || EVP_CipherUpdate(context, NULL, &done, head, (int)head_count) == 1) &&
	    (count == 0 || EVP_CipherUpdate(context, out, &done, bytes, (int)count) == 1) &&
	    (seals || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, COPENSSL_TAG_COUNT, tag) == 1) &&
	    EVP_CipherFinal_ex(context, rest, &done) == 1 &&
	    (!seals || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, COPENSSL_TAG_COUNT, tag) == 1))
		result = 1;
	EVP_CIPHER_CTX_free(context);
	return copenssl_end(result);
}

/* Creates a public key from parameters and checks it. Returns NULL if OpenSSL rejects the key. */
static inline EVP_PKEY *copenssl_key(const char *type, OSSL_PARAM *parameters)
{
	EVP_PKEY_CTX *making, *checking = NULL;
	EVP_PKEY *key = NULL;

	making = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
	if (making && EVP_PKEY_fromdata_init(making) == 1 &&
	    EVP_PKEY_fromdata(making, &key, EVP_PKEY_PUBLIC_KEY, parameters) == 1)
		checking = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
	if (!checking || EVP_PKEY_public_check(checking) != 1) {
		EVP_PKEY_free(key);
		key = NULL;
	}
	EVP_PKEY_CTX_free(checking);
	EVP_PKEY_CTX_free(making);
	return key;
}

/* Creates an RSA public key (RFC 8017, 3.1). Both numbers are big-endian. */
static inline EVP_PKEY *copenssl_rsa_key(const unsigned char *modulus, size_t modulus_count, const unsigned char *exponent,
					 size_t exponent_count)
{
	OSSL_PARAM_BLD *builder = NULL;
	OSSL_PARAM *parameters = NULL;
	BIGNUM *n = NULL, *e = NULL;
	EVP_PKEY *key = NULL;

	if (modulus_count > INT_MAX || exponent_count > INT_MAX)
		return NULL;
	copenssl_begin();
	n = BN_bin2bn(modulus, (int)modulus_count, NULL);
	e = BN_bin2bn(exponent, (int)exponent_count, NULL);
	if (n && e && BN_num_bits(n) >= COPENSSL_RSA_BITS_MIN && BN_num_bits(n) <= COPENSSL_RSA_BITS_MAX && BN_is_odd(n) &&
	    BN_num_bits(e) >= 2 && BN_num_bits(e) <= COPENSSL_RSA_EXPONENT_BITS_MAX && BN_is_odd(e))
		builder = OSSL_PARAM_BLD_new();
	if (builder && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, n) == 1 &&
	    OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, e) == 1)
		parameters = OSSL_PARAM_BLD_to_param(builder);
	if (parameters)
		key = copenssl_key("RSA", parameters);
	OSSL_PARAM_free(parameters);
	OSSL_PARAM_BLD_free(builder);
	BN_free(e);
	BN_free(n);
	copenssl_end(key != NULL);
	return key;
}

/* Creates a P-256 public key from the coordinates of its point, 32 bytes each. */
static inline EVP_PKEY *copenssl_p256_key(const unsigned char *x, const unsigned char *y)
{
	unsigned char point[1 + 2 * COPENSSL_COORDINATE_COUNT] = {POINT_CONVERSION_UNCOMPRESSED};
	OSSL_PARAM parameters[3];
	EVP_PKEY *key;

	copenssl_begin();
	memcpy(point + 1, x, COPENSSL_COORDINATE_COUNT);
	memcpy(point + 1 + COPENSSL_COORDINATE_COUNT, y, COPENSSL_COORDINATE_COUNT);
	parameters[0] = OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)"prime256v1", 0);
	parameters[1] = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, point, sizeof(point));
	parameters[2] = OSSL_PARAM_construct_end();
	key = copenssl_key("EC", parameters);
	copenssl_end(key != NULL);
	return key;
}

/* Derives the public key of an Ed25519 private key: RFC 8032, 5.1.5. Both have 32 bytes. */
static inline int copenssl_ed25519_public_key(const unsigned char *seed, unsigned char *key)
{
	size_t count = COPENSSL_ED25519_COUNT;
	EVP_PKEY *pair;
	int result = 0;

	copenssl_begin();
	pair = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, seed, COPENSSL_ED25519_COUNT);
	if (pair)
		result = EVP_PKEY_get_raw_public_key(pair, key, &count) == 1 && count == COPENSSL_ED25519_COUNT;
	EVP_PKEY_free(pair);
	return copenssl_end(result);
}

static inline int copenssl_verify(EVP_PKEY *key, int padding, const unsigned char *signature, size_t signature_count,
				  const unsigned char *bytes, size_t count)
{
	EVP_PKEY_CTX *traits = NULL;
	EVP_MD_CTX *context;
	int result = 0;

	context = EVP_MD_CTX_new();
	if (context && EVP_DigestVerifyInit(context, &traits, EVP_sha256(), NULL, key) == 1 &&
	    (padding == 0 || EVP_PKEY_CTX_set_rsa_padding(traits, padding) == 1))
		result = EVP_DigestVerify(context, signature, signature_count, bytes, count) == 1;
	EVP_MD_CTX_free(context);
	return result;
}

/* Verifies an RSASSA-PKCS1-v1_5 signature with SHA-256: RFC 8017, 8.2.2. */
static inline int copenssl_rsa_verify(EVP_PKEY *key, const unsigned char *signature, size_t signature_count,
				      const unsigned char *bytes, size_t count)
{
	copenssl_begin();
	return copenssl_end(copenssl_verify(key, RSA_PKCS1_PADDING, signature, signature_count, bytes, count));
}

/* Verifies an ECDSA signature with a P-256 key and SHA-256. The signature consists of r and s, 32
 * bytes each: RFC 7518, 3.4. */
static inline int copenssl_p256_verify(EVP_PKEY *key, const unsigned char *r_and_s, const unsigned char *bytes, size_t count)
{
	ECDSA_SIG *numbers;
	unsigned char *signature = NULL;
	BIGNUM *r, *s;
	int result = 0, signature_count = 0;

	copenssl_begin();
	numbers = ECDSA_SIG_new();
	r = BN_bin2bn(r_and_s, COPENSSL_COORDINATE_COUNT, NULL);
	s = BN_bin2bn(r_and_s + COPENSSL_COORDINATE_COUNT, COPENSSL_COORDINATE_COUNT, NULL);
	if (numbers && r && s && ECDSA_SIG_set0(numbers, r, s) == 1)
		/* From here on, ECDSA_SIG_free also frees r and s. */
		signature_count = i2d_ECDSA_SIG(numbers, &signature);
	else {
		BN_free(r);
		BN_free(s);
	}
	if (signature_count > 0)
		result = copenssl_verify(key, 0, signature, (size_t)signature_count, bytes, count);
	OPENSSL_free(signature);
	ECDSA_SIG_free(numbers);
	return copenssl_end(result);
}

#endif
