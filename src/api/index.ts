/**
 * Objects, kinds and keys: plain JSON data and nothing that runs.
 *
 * @module
 */
export {};
