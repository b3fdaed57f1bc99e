/** Stops the effect of the call that returned it. Calling it again does nothing. */
export type Stop = () => void;
