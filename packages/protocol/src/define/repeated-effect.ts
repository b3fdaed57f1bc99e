/**
 * The key of a call's method that is told of an effect of the handler. A handler that asks runs again, and
 * would have the effect again.
 */
export const noteEffect = Symbol('noteEffect');

/** A call whose handler may run again. `what` names the effect in an error: "`increment` of a state". */
export interface RepeatableCall {
  [noteEffect]?(what: string): void;
}
