/** Stops what the call that returned it started. Calling it again does nothing. */
export type Stop = () => void;
