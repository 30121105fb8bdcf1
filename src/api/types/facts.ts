export const release = "v1.36.3";
