import { expect, test } from "vitest";
import { type Examples, expectMatches } from "./formats.fixture.ts";
import { formatTest, knownFormat } from "./formats.ts";

/** Strings that match and do not match each format in kube-apiserver. */
const formats: Readonly<Record<string, Examples>> = {
  bsonobjectid: {
    valid: ["507f1f77bcf86cd799439011", "507F1F77BCF86CD799439011"],
    invalid: ["507f1f77bcf86cd79943901", "507f1f77bcf86cd79943901g", ""],
  },
  uuid: {
    valid: [
      "123e4567-e89b-12d3-a456-426614174000",
      "123E4567E89B12D3A456426614174000",
      "123e4567-e89b12d3-a456426614174000",
    ],
    invalid: ["123e4567-e89b-12d3-a456-42661417400", "x23e4567-e89b-12d3-a456-426614174000", ""],
  },
  uuid3: {
    valid: ["123e4567-e89b-32d3-a456-426614174000"],
    invalid: ["123e4567-e89b-42d3-a456-426614174000"],
  },
  uuid4: {
    valid: ["123e4567-e89b-42d3-a456-426614174000"],
    invalid: ["123e4567-e89b-42d3-c456-426614174000", "123e4567-e89b-12d3-a456-426614174000"],
  },
  uuid5: {
    valid: ["123e4567-e89b-52d3-a456-426614174000"],
    invalid: ["123e4567-e89b-42d3-a456-426614174000"],
  },
  isbn: {
    valid: ["0321751043", "978-0321751041", "978 0321751041", "3 401 01319 X"],
    invalid: ["0321751044", "032175104X", "3-401-01319-x", ""],
  },
  isbn10: { valid: ["0321751043"], invalid: ["978-0321751041"] },
  isbn13: { valid: ["978-0321751041"], invalid: ["0321751043", "9780321751042"] },
  creditcard: {
    valid: [
      "4220855426222389",
      "4220 8554 2622 2389",
      "374953669708156",
      "6011464355444102",
      "3548209662790989",
      "5139288802098206",
    ],
    invalid: ["4220855426213389", "credit card", "", "30190239451016", "6521674451993089"],
  },
  ssn: {
    valid: ["191-60-2869", "191 60 2869", "191 60-2869"],
    invalid: ["191602869", "191-602869", "", "19-160-2869"],
  },
  hexcolor: { valid: ["#fff", "fff", "#ffffff", "FFF"], invalid: ["#ffff", "#ggg", ""] },
  rgbcolor: {
    valid: ["rgb(0,31,255)", "rgb( 0, 31,255 )", "rgb(199,1,19)"],
    invalid: [
      "rgb(1,349,275)",
      "rgb(01,31,255)",
      "rgba(0,31,255)",
      "rgb(0,0)",
      "rgb(0,0,0,0)",
      "RGB(0,0,0)",
      "rgb(256,0,0)",
      "",
    ],
  },
  byte: { valid: ["YQ==", "YWJj"], invalid: ["YW Jj", "", "=", "YWJj\n", "a-b_", "YQ"] },
  password: { valid: ["x", ""], invalid: [] },
  "k8s-short-name": {
    valid: ["a", "a-b", "a".repeat(63)],
    invalid: ["-a", "a-", "A", "a.b", "a".repeat(64), ""],
  },
  "k8s-long-name": {
    valid: [
      "a",
      "a.b",
      "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.b",
      "a".repeat(253),
    ],
    invalid: ["a..b", "A.b", "a".repeat(254), "", "-a.b"],
  },
};

test.each(Object.entries(formats))(
  "the format %s accepts and refuses strings like kube-apiserver",
  expectMatches,
);

test("a format applies only to the types that have it", () => {
  expect(knownFormat("date-time", "string")).toBe("date-time");
  expect(knownFormat("date", "")).toBe("date");
  expect(knownFormat("int32", "integer")).toBe("int32");
  expect(knownFormat("double", "number")).toBe("double");
  expect(knownFormat("date", "integer")).toBe("");
  expect(knownFormat("int32", "string")).toBe("");
  expect(knownFormat("date", "object")).toBe("");
  expect(knownFormat("foo", "string")).toBe("");
});

test("no string takes long to match", () => {
  const long = "a".repeat(100_000);
  const texts = [
    long,
    `${long}!`,
    `${"a.".repeat(50_000)}!`,
    `"${long}`,
    "1".repeat(100_000),
    `rgb(${" ".repeat(100_000)}x,1,1)`,
  ];
  const names = [
    ...Object.keys(formats),
    "uri",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "cidr",
    "mac",
    "date",
    "datetime",
    "duration",
  ];
  for (const format of names) for (const text of texts) formatTest(format)?.(text);
});
