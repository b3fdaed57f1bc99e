/** Ends a watch or a timer; returned when the watch or timer begins. Calling it again does nothing. */
export type Stop = () => void;
