/// The contents of files that `cluster` of a configuration names.
package enum ClusterFiles {
    /// The seed of a user whose private key has the bytes 0 to 31.
    package static let seed = "SUAAAAICAMCAKBQHBAEQUCYMBUHA6EARCIJRIFIWC4MBSGQ3DQOR4H776Y"
    /// The seed of an account with the same private key.
    package static let accountSeed = "SAAAAAICAMCAKBQHBAEQUCYMBUHA6EARCIJRIFIWC4MBSGQ3DQOR4HYMHI"

    /// A credentials file. Its token is not a token that a server accepts.
    package static let credentials = """
        -----BEGIN NATS USER JWT-----
        eyJ0eXAiOiJKV1QifQ.e30.c2lnbmF0dXJl
        ------END NATS USER JWT------

        ************************* IMPORTANT *************************
        The seed below is a secret.

        -----BEGIN USER NKEY SEED-----
        \(seed)
        ------END USER NKEY SEED------

        *************************************************************

        """
}
