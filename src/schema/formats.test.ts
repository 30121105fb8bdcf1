import { expect, test } from "vitest";
import { expectTold, type Texts } from "./formats.fixture.ts";
import { formatTest, knownFormat } from "./formats.ts";

/** What kube-apiserver takes for a text of a format, and what not. */
const formats: Readonly<Record<string, Texts>> = {
  bsonobjectid: {
    are: ["507f1f77bcf86cd799439011", "507F1F77BCF86CD799439011"],
    areNot: ["507f1f77bcf86cd79943901", "507f1f77bcf86cd79943901g", ""],
  },
  uuid: {
    are: [
      "123e4567-e89b-12d3-a456-426614174000",
      "123E4567E89B12D3A456426614174000",
      "123e4567-e89b12d3-a456426614174000",
    ],
    areNot: ["123e4567-e89b-12d3-a456-42661417400", "x23e4567-e89b-12d3-a456-426614174000", ""],
  },
  uuid3: { are: ["123e4567-e89b-32d3-a456-426614174000"], areNot: ["123e4567-e89b-42d3-a456-426614174000"] },
  uuid4: {
    are: ["123e4567-e89b-42d3-a456-426614174000"],
    areNot: ["123e4567-e89b-42d3-c456-426614174000", "123e4567-e89b-12d3-a456-426614174000"],
  },
  uuid5: { are: ["123e4567-e89b-52d3-a456-426614174000"], areNot: ["123e4567-e89b-42d3-a456-426614174000"] },
  isbn: {
    are: ["0321751043", "978-0321751041", "978 0321751041", "3 401 01319 X"],
    areNot: ["0321751044", "032175104X", "3-401-01319-x", ""],
  },
  isbn10: { are: ["0321751043"], areNot: ["978-0321751041"] },
  isbn13: { are: ["978-0321751041"], areNot: ["0321751043", "9780321751042"] },
  creditcard: {
    are: [
      "4220855426222389",
      "4220 8554 2622 2389",
      "374953669708156",
      "6011464355444102",
      "3548209662790989",
      "5139288802098206",
    ],
    areNot: ["4220855426213389", "credit card", "", "30190239451016", "6521674451993089"],
  },
  ssn: {
    are: ["191-60-2869", "191 60 2869", "191 60-2869"],
    areNot: ["191602869", "191-602869", "", "19-160-2869"],
  },
  hexcolor: { are: ["#fff", "fff", "#ffffff", "FFF"], areNot: ["#ffff", "#ggg", ""] },
  rgbcolor: {
    are: ["rgb(0,31,255)", "rgb( 0, 31,255 )", "rgb(199,1,19)"],
    areNot: [
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
  byte: { are: ["YQ==", "YWJj"], areNot: ["YW Jj", "", "=", "YWJj\n", "a-b_", "YQ"] },
  password: { are: ["x", ""], areNot: [] },
  "k8s-short-name": {
    are: ["a", "a-b", "a".repeat(63)],
    areNot: ["-a", "a-", "A", "a.b", "a".repeat(64), ""],
  },
  "k8s-long-name": {
    are: [
      "a",
      "a.b",
      "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.b",
      "a".repeat(253),
    ],
    areNot: ["a..b", "A.b", "a".repeat(254), "", "-a.b"],
  },
};

test.each(Object.entries(formats))("a text is of format %s, or is not", expectTold);

test("a format counts for the types that have it", () => {
  expect(knownFormat("date-time", "string")).toBe("date-time");
  expect(knownFormat("date", "")).toBe("date");
  expect(knownFormat("int32", "integer")).toBe("int32");
  expect(knownFormat("double", "number")).toBe("double");
  expect(knownFormat("date", "integer")).toBe("");
  expect(knownFormat("int32", "string")).toBe("");
  expect(knownFormat("date", "object")).toBe("");
  expect(knownFormat("foo", "string")).toBe("");
});

test("no text takes long to be told", () => {
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
