/** A number, or text that stands for one, like a port's name or `"25%"`. */
export type IntOrString = number | string;
