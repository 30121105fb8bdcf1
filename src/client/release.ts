/** This package's version, as `package.json` has it; a test holds them together. */
export const release = "0.1.0";
