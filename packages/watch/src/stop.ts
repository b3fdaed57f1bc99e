/** Ends what the call that returned it began. Calling it again does nothing. */
export type Stop = () => void;
