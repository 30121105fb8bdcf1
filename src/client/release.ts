/** This package's version. A test compares it with `package.json`. */
export const release = "0.1.0";
