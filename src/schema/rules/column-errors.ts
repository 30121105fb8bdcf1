import type { CustomResourceColumnDefinition } from "../../api/types/apiextensions/v1.ts";
import { type FieldError, invalid, required } from "../values/field-error.ts";
import { simplePathErrors } from "./scale-path-errors.ts";

const types = "boolean,date,integer,number,string";
const formats = "byte,date,date-time,double,float,int32,int64,password";

/** Returns the errors in a column of `kubectl get`. */
export function columnErrors(column: CustomResourceColumnDefinition, path: string): FieldError[] {
  const { name, type, format = "", jsonPath } = column;
  return [
    ...(name === "" ? [required(`${path}.name`)] : []),
    ...(type === "" ? [required(`${path}.type`, `must be one of ${types}`)] : []),
    ...(type !== "" && !types.split(",").includes(type)
      ? [invalid(`${path}.type`, type, `must be one of ${types}`)]
      : []),
    ...(format !== "" && !formats.split(",").includes(format)
      ? [invalid(`${path}.format`, format, `must be one of ${formats}`)]
      : []),
    ...(jsonPath === "" ? [required(`${path}.JSONPath`)] : simplePathErrors(jsonPath, `${path}.JSONPath`)),
  ];
}
