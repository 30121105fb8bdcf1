/**
 * Server certificates for tests, so that tests need no openssl. Keys are P-256. Created by:
 *
 * ```sh
 * make() { # name, subject, start, end, extensions, how to sign
 *   openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout $1.key -subj "$2" -out $1.csr
 *   openssl ca -batch -notext -config <(printf '%s\n' [ca] default_ca=d [d] database=db new_certs_dir=. \
 *     default_md=sha256 policy=p unique_subject=no rand_serial=yes x509_extensions=x \
 *     [p] commonName=supplied [x] $5) \
 *     -startdate $3 -enddate $4 $6 -keyfile ca.key -in $1.csr -out $1.pem
 * }
 * : > db
 * make ca /CN=servers 20250101000000Z 21250101000000Z basicConstraints=CA:TRUE -selfsign
 * make local /CN=local 20250101000000Z 21250101000000Z subjectAltName=DNS:localhost,IP:127.0.0.1 "-cert ca.pem"
 * make old /CN=old 20240101000000Z 20250601000000Z subjectAltName=DNS:localhost,IP:127.0.0.1 "-cert ca.pem"
 * make elsewhere /CN=elsewhere 20250101000000Z 21250101000000Z subjectAltName=DNS:elsewhere.example "-cert ca.pem"
 * ```
 */
export interface ServerFixture {
  readonly cert: string;
  readonly key: string;
}

/** The authority that signed the others. */
export const serversAuthority: string = `-----BEGIN CERTIFICATE-----
MIIBVzCB/aADAgECAhQoFtg8jBwm8rH9U+wbX+bN3PXUwzAKBggqhkjOPQQDAjAS
MRAwDgYDVQQDDAdzZXJ2ZXJzMCAXDTI1MDEwMTAwMDAwMFoYDzIxMjUwMTAxMDAw
MDAwWjASMRAwDgYDVQQDDAdzZXJ2ZXJzMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcD
QgAEp3mlQoH5MJyYnRNAPK58SMu7BBXhssle50ZLMvChm2Hfmka53VXzJnXLdM8B
3+4OHvUsbuydRbycyGL3SQ2oRKMvMC0wDAYDVR0TBAUwAwEB/zAdBgNVHQ4EFgQU
7s4V+UhDN3HsQHm2ZmtQMPOakZcwCgYIKoZIzj0EAwIDSQAwRgIhAI+x67+87swr
PhSMnBIlDkleh6YGvyrm9HOFCkyL8+ENAiEAwZd/9imkD222BNy1UehWOeCVHGrr
H+WF2ILaxWYFMx8=
-----END CERTIFICATE-----
`;

/** For "localhost" and 127.0.0.1, valid until 2125. */
export const localServer: ServerFixture = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBgzCCASqgAwIBAgIUV4WRfVv7SwjWfMdL0b1krH6L2tAwCgYIKoZIzj0EAwIw
EjEQMA4GA1UEAwwHc2VydmVyczAgFw0yNTAxMDEwMDAwMDBaGA8yMTI1MDEwMTAw
MDAwMFowEDEOMAwGA1UEAwwFbG9jYWwwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
AASN6wY4nMeDIpARXR+KgfBEXWQZzX03nzDbq2zDFt1TzefvHopKRt9Izahyph2M
/NqqMILb/UBeUQJGyPTNVO8To14wXDAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8A
AAEwHQYDVR0OBBYEFNmSs3poPHveOjgFwFbHUL/8PfNeMB8GA1UdIwQYMBaAFO7O
FflIQzdx7EB5tmZrUDDzmpGXMAoGCCqGSM49BAMCA0cAMEQCICELM2OcPw9w8oQh
6b9xOUIjj+CwYjMg1SlK35JrzgIrAiAG+ueyC2Yl5wtaTQP8VTesVckM0PoOYtDN
cnQ1qmjesw==
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQglyV353YD4U+RgSfs
xNASxTcaObjmfZC22lWV6q87YVOhRANCAASN6wY4nMeDIpARXR+KgfBEXWQZzX03
nzDbq2zDFt1TzefvHopKRt9Izahyph2M/NqqMILb/UBeUQJGyPTNVO8T
-----END PRIVATE KEY-----
`,
};

/** The same as `localServer`, but expired on 2025-05-31. */
export const oldServer: ServerFixture = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBfzCCASagAwIBAgIUa0S2pumuezFprqxToDHCs5EQjQwwCgYIKoZIzj0EAwIw
EjEQMA4GA1UEAwwHc2VydmVyczAeFw0yNDAxMDEwMDAwMDBaFw0yNTA2MDEwMDAw
MDBaMA4xDDAKBgNVBAMMA29sZDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABD1w
XPjxl+HjaXZdbc47eKX+TYOBZjzPeM41dCO2c+g3m+v3MSHxXtO1sfmChNZDDue4
L4tWOOD9aytyr0A7El6jXjBcMBoGA1UdEQQTMBGCCWxvY2FsaG9zdIcEfwAAATAd
BgNVHQ4EFgQUWBw50dpbVJCgmbDoPOj/knPYTZwwHwYDVR0jBBgwFoAU7s4V+UhD
N3HsQHm2ZmtQMPOakZcwCgYIKoZIzj0EAwIDRwAwRAIgMkjp8smJoLeXSGe1H1tL
A15vk3kSGHXmGGQ/xX0GeeACIFvbswNuLRUXRd2x1IqVjQdnKByFK36SYQAA5Hxj
wNH0
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgCJigw3GVLJCzvKv3
lU0j5Gj/mtNxsFWWZxIRA+AzgEmhRANCAAQ9cFz48Zfh42l2XW3OO3il/k2DgWY8
z3jONXQjtnPoN5vr9zEh8V7TtbH5goTWQw7nuC+LVjjg/Wsrcq9AOxJe
-----END PRIVATE KEY-----
`,
};

/** For "elsewhere.example". */
export const elsewhereServer: ServerFixture = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBijCCATCgAwIBAgIUQu50XSZBGwm8dDqasmBd/z7d8nQwCgYIKoZIzj0EAwIw
EjEQMA4GA1UEAwwHc2VydmVyczAgFw0yNTAxMDEwMDAwMDBaGA8yMTI1MDEwMTAw
MDAwMFowFDESMBAGA1UEAwwJZWxzZXdoZXJlMFkwEwYHKoZIzj0CAQYIKoZIzj0D
AQcDQgAE2y4rgO/C7RjQQCq3ICbP4HdDvU+A7UNMpimMhl+qpcEon9WndxfHlRWW
EaVHdyJC51EnrDhg5br1+/Tr+OvpEaNgMF4wHAYDVR0RBBUwE4IRZWxzZXdoZXJl
LmV4YW1wbGUwHQYDVR0OBBYEFN8EuxvsfSkWIQYmx+zrUxnqFShmMB8GA1UdIwQY
MBaAFO7OFflIQzdx7EB5tmZrUDDzmpGXMAoGCCqGSM49BAMCA0gAMEUCIQDSPvb9
ewJehjAsCSGpifQJPsYpmnrvANhgr04xHu1jgwIgT7XoRMjI52lgjfUD72yY2r7s
yESYnEW4Y1e/gIiXOBQ=
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgjGGabSQ6rcNBZiY1
CALVMpg6lLDH3G+qEgClDIklg2ShRANCAATbLiuA78LtGNBAKrcgJs/gd0O9T4Dt
Q0ymKYyGX6qlwSif1ad3F8eVFZYRpUd3IkLnUSesOGDluvX79Ov46+kR
-----END PRIVATE KEY-----
`,
};
