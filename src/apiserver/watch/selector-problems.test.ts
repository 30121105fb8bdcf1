import { expect, test } from "vitest";
import { fieldSelectorProblem, labelSelectorProblem } from "./selector-problems.ts";

const badLabel =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const badName =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

// The messages are those of kube-apiserver 1.36.3.
test.each([
  ["a in b", "unable to parse requirement: found 'b' expected: '('"],
  ["a=b=c", "found '=', expected: ',' or 'end of string'"],
  ["-a", `unable to parse requirement: <nil>: Invalid value: "-a": ${badName}`],
  [",", "found ',', expected: !, identifier, or 'end of string'"],
  ["(a)", "found '(', expected: !, identifier, or 'end of string'"],
  ["a,", "found '', expected: identifier after ','"],
  ["a,!b,", "found '', expected: identifier after ','"],
  ["a!", "unable to parse requirement: found '!', expected: in, notin, =, ==, !=, gt, lt"],
  ["a b", "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
  ["a=b c", "found 'c', expected: ',' or 'end of string'"],
  ["!a=b", "found '=', expected: ',' or 'end of string'"],
  ["!", "unable to parse requirement: found '', expected: identifier"],
  ["!,", "unable to parse requirement: found ',', expected: identifier"],
  ["x>=5", "unable to parse requirement: found '=', expected: identifier"],
  ["a=!b", "unable to parse requirement: found '!', expected: identifier"],
  ["a in (x", "unable to parse requirement: found '', expected: ',' or ')'"],
  ["a in (x,", "unable to parse requirement: found '', expected: ',', or identifier"],
  ["a in (", "unable to parse requirement: found '', expected: ',', ')' or identifier"],
  ["a in ((b))", "unable to parse requirement: found '(', expected: ',', ')' or identifier"],
  [
    "a>x",
    `unable to parse requirement: values[0]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer`,
  ],
  ["a<-5", `unable to parse requirement: values[0][a]: Invalid value: "-5": ${badLabel}`],
  [
    "a in (-b,c-)",
    `unable to parse requirement: [values[0][a]: Invalid value: "-b": ${badLabel}, values[1][a]: Invalid value: "c-": ${badLabel}]`,
  ],
])("label selector %j: %s", (text, problem) => {
  expect(labelSelectorProblem(text)).toBe(problem);
});

test.each([
  ["a", "invalid selector: 'a'; can't understand 'a'"],
  ["a!b", "invalid selector: 'a!b'; can't understand 'a!b'"],
  ["metadata.name=a,b", "invalid selector: 'metadata.name=a,b'; can't understand 'b'"],
  ["a=b=c", "invalid field selector: unescaped character in value: 61"],
  ["a=b\\", "invalid field selector: invalid escape sequence: \\"],
  ["a=b\\x", "invalid field selector: invalid escape sequence: \\x"],
])("field selector %j: %s", (text, problem) => {
  expect(fieldSelectorProblem(text)).toBe(problem);
});
