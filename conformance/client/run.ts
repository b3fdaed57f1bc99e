/** What the suite starts a client for. */
export interface Run {
  readonly scenario: string;
  /** The revision to speak; undefined leaves the choice to the client. */
  readonly version: string | undefined;
  /** What the scenario gives the client, such as its credentials. */
  readonly context: { readonly [key: string]: unknown };
}
