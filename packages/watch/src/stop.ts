/** Ends a watch or a timer, whose beginning returned it. Calling it again does nothing. */
export type Stop = () => void;
