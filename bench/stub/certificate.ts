/**
 * TEST CERTIFICATE, for benchmarks on one machine only: valid for localhost, 127.0.0.1 and ::1 until the year 2126.
 *
 * The private key is public, so it protects nothing. The authority's own key does not exist any more. The keys are
 * P-256: a handshake costs the stub little, so that a client which opens a connection per request pays mostly for
 * itself.
 */
export interface TestCertificate {
  /** CA certificate for clients. */
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

export const testCertificate: TestCertificate = {
  ca: `-----BEGIN CERTIFICATE-----
MIIBtTCCAVugAwIBAgIUaPxjfKbmH8DX3WLREsCDyR5m+pIwCgYIKoZIzj0EAwIw
JzElMCMGA1UEAwwcdHJpbXRhYiBiZW5jaCB0ZXN0IGF1dGhvcml0eTAgFw0yNjEx
MTYwMTMyMjlaGA8yMTI2MTAyMzAxMzIyOVowJzElMCMGA1UEAwwcdHJpbXRhYiBi
ZW5jaCB0ZXN0IGF1dGhvcml0eTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABBFt
4Z/5NBYDX6jxXv/+TNnO1lTRIrgXs2PmWklQXsETFu/lTKS2q09QXQYEmWWGjFyn
GFmf85tgWRf3e7nBLEqjYzBhMB0GA1UdDgQWBBSwBjVkAWZDIEJlrHW6DeJb+Izu
OTAfBgNVHSMEGDAWgBSwBjVkAWZDIEJlrHW6DeJb+IzuOTAPBgNVHRMBAf8EBTAD
AQH/MA4GA1UdDwEB/wQEAwICBDAKBggqhkjOPQQDAgNIADBFAiEA5E7FEmp2joo3
Q1mVdDMQTKyJN1RUNFKBONjrTznqWB0CIA6Mv++ekPeRMB2b5kM3aQlSuhBjj/G1
bE5dRzFAwJKn
-----END CERTIFICATE-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIB4zCCAYqgAwIBAgIUCUDWQ92uFoRR7znmRZWW5VP3VGswCgYIKoZIzj0EAwIw
JzElMCMGA1UEAwwcdHJpbXRhYiBiZW5jaCB0ZXN0IGF1dGhvcml0eTAgFw0yNjEx
MTYwMTMyMjlaGA8yMTI2MTAyMzAxMzIyOVowFDESMBAGA1UEAwwJbG9jYWxob3N0
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEFCMgHb1qeigw3VLWMCx1nUFmmGjV
aK+ZKXmZrQbagWthQ+I26ThiARcb1dUvnnINpH5QqRGBYqNaFzLXw7YQCaOBpDCB
oTAsBgNVHREEJTAjgglsb2NhbGhvc3SHBH8AAAGHEAAAAAAAAAAAAAAAAAAAAAEw
DAYDVR0TAQH/BAIwADAOBgNVHQ8BAf8EBAMCB4AwEwYDVR0lBAwwCgYIKwYBBQUH
AwEwHQYDVR0OBBYEFKMU5DUcKzh/bAeuff36pYwTn2uIMB8GA1UdIwQYMBaAFLAG
NWQBZkMgQmWsdboN4lv4jO45MAoGCCqGSM49BAMCA0cAMEQCIHPWi5fJvFB7LdxN
EAm7flvpEWppBZhj3H2F1fxzDRyVAiBuvPGmm/o9hgR7nFzIk3wf5WALxpPrC520
Q1og/AqYeQ==
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg06KVsLEQ8k5hhk+X
8f91pQF/zlC3fpeAlI/6e1OcHQihRANCAAQUIyAdvWp6KDDdUtYwLHWdQWaYaNVo
r5kpeZmtBtqBa2FD4jbpOGIBFxvV1S+ecg2kflCpEYFio1oXMtfDthAJ
-----END PRIVATE KEY-----
`,
};
