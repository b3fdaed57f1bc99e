/** Ends a watch or a timer that the call returning this function began. Calling it again does nothing. */
export type Stop = () => void;
