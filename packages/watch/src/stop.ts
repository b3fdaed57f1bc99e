/**
 * The function that a watch or a timer returns when it begins, and that ends it. Calling it again does
 * nothing.
 */
export type Stop = () => void;
