/**
 * Client certificates for tests, so that tests need no openssl. Keys are P-256, the subject is "/O=testers/CN=jane".
 * Created by:
 *
 * ```sh
 * make() { # name, subject, start, end, extensions, how to sign
 *   openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout $1.key -subj "$2" -out $1.csr
 *   openssl ca -batch -notext -config <(printf '%s\n' [ca] default_ca=d [d] database=db new_certs_dir=. \
 *     default_md=sha256 policy=p unique_subject=no rand_serial=yes x509_extensions=x \
 *     [p] commonName=supplied organizationName=optional [x] $5) \
 *     -startdate $3 -enddate $4 $6 -keyfile ca.key -in $1.csr -out $1.pem
 * }
 * : > db
 * make ca /CN=test 20250101000000Z 21250101000000Z basicConstraints=CA:TRUE -selfsign
 * make client /O=testers/CN=jane 20250101000000Z 21250101000000Z "" "-cert ca.pem"
 * make rotated /O=testers/CN=jane 20250101000000Z 21250101000000Z "" "-cert ca.pem"
 * make expired /O=testers/CN=jane 20240101000000Z 20250601000000Z "" "-cert ca.pem"
 * ```
 */
export interface PemFixture {
  readonly cert: string;
  readonly key: string;
}

/** The authority that signed the others. */
export const authority: string = `-----BEGIN CERTIFICATE-----
MIIBUDCB96ADAgECAhRdWxNygNe2IcjXS/KO7TwunPXDMjAKBggqhkjOPQQDAjAP
MQ0wCwYDVQQDDAR0ZXN0MCAXDTI1MDEwMTAwMDAwMFoYDzIxMjUwMTAxMDAwMDAw
WjAPMQ0wCwYDVQQDDAR0ZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEtF3F
LnfUAls7CYd/lcCLoJXheYk1UMoU+QEM4j4nApfe6GxBXOLQElXJlWTNIbKLwZiz
dxUlAWC05x7UGTvzmKMvMC0wDAYDVR0TBAUwAwEB/zAdBgNVHQ4EFgQUo1HdYvom
PxXFyHTLotxZ2PHYhogwCgYIKoZIzj0EAwIDSAAwRQIgbze22z/es4SnEArn3iXO
yox797b02fZmTtZ9itcFQscCIQDf9n7Usha8QtDX/b3zDmIaYuJ7Otwu60QMxN9K
aBd9/A==
-----END CERTIFICATE-----
`;

/** Valid until 2125. */
export const client: PemFixture = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBLDCB0wIUerK6jWSQCu1PwqZclQprFF7DZNswCgYIKoZIzj0EAwIwDzENMAsG
A1UEAwwEdGVzdDAgFw0yNTAxMDEwMDAwMDBaGA8yMTI1MDEwMTAwMDAwMFowITEN
MAsGA1UEAwwEamFuZTEQMA4GA1UECgwHdGVzdGVyczBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABIYkwJ59BX6L4xP4DcUpoaHjU7nBYRSg03pM6gXQD53deDQapkYa
JCiKKT/wpziboeYIk7QhwBYCbnSFoZ3cRSUwCgYIKoZIzj0EAwIDSAAwRQIhAIG8
XI/VBhNxFDaFk4yMaprNQqSNehDSOSB8t+Q0TuO6AiA6pWOVGXwQ+3+BIP1oy5Yp
DuAqHmiTxOM9u5/abM7rwQ==
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgKjbUGrLVLAF2yPDV
cWkvMj3Ymh+mEOUeCjLMM8z/smShRANCAASGJMCefQV+i+MT+A3FKaGh41O5wWEU
oNN6TOoF0A+d3Xg0GqZGGiQoiik/8Kc4m6HmCJO0IcAWAm50haGd3EUl
-----END PRIVATE KEY-----
`,
};

/** The same as `client`, with another key. */
export const rotated: PemFixture = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBLDCB0wIUBmkm35RgPy1cAabRAvuf6uFKF+YwCgYIKoZIzj0EAwIwDzENMAsG
A1UEAwwEdGVzdDAgFw0yNTAxMDEwMDAwMDBaGA8yMTI1MDEwMTAwMDAwMFowITEN
MAsGA1UEAwwEamFuZTEQMA4GA1UECgwHdGVzdGVyczBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABNue/pnA/m2VYYdOsIf0leEuJ0a2At40hHOaSZ1Lh+z19o+gDzlP
qxz5GRdzKuZaejLW3K8kAhDGfkM/+X+BurYwCgYIKoZIzj0EAwIDSAAwRQIhAKIr
g581qYPJAS4KGvIIhxtwEcDLyztQjwhD17Z/1Y+UAiBE4s9Gb/az+eHR5nOUu5OT
GfY1ZWRqJB8l4JQIbYTSvw==
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgIRM22OtFJigjGN/f
CeTJBgy0q79ejPVQ/G3rRJjNhe2hRANCAATbnv6ZwP5tlWGHTrCH9JXhLidGtgLe
NIRzmkmdS4fs9faPoA85T6sc+RkXcyrmWnoy1tyvJAIQxn5DP/l/gbq2
-----END PRIVATE KEY-----
`,
};

/** Expired on 2025-05-31. */
export const expired: PemFixture = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBKzCB0QIURZdP1GKWgZf9C/wtxblURnAxVoswCgYIKoZIzj0EAwIwDzENMAsG
A1UEAwwEdGVzdDAeFw0yNDAxMDEwMDAwMDBaFw0yNTA2MDEwMDAwMDBaMCExDTAL
BgNVBAMMBGphbmUxEDAOBgNVBAoMB3Rlc3RlcnMwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATDPP2MBCYB8ODBgHfwht8ZvaKszBV8x862Mo7sO5Qbttx0gQDmGD6a
WCpgEKOAkzzki8GtG0NHuIhT1OKExCS5MAoGCCqGSM49BAMCA0kAMEYCIQC6+7YN
weZvTmF3dq9fo15KSvqWNI1esvT5pCnF3TNbdwIhANwXUnDvCR3RKXsqsxc9RxHJ
7ZSpKyZZ3Mq+/5tEwy4B
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgjANlIUmb+m+kEZdP
OdCOw/DESmp60e+LVJU4Tteq83WhRANCAATDPP2MBCYB8ODBgHfwht8ZvaKszBV8
x862Mo7sO5Qbttx0gQDmGD6aWCpgEKOAkzzki8GtG0NHuIhT1OKExCS5
-----END PRIVATE KEY-----
`,
};
