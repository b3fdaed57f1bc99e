/** Ends what the call that returned this function began, such as a watch. Calling it again does nothing. */
export type Stop = () => void;
