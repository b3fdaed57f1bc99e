/** A client that asks for access. */
export interface Client {
  readonly id: string;
  /** The name that it gives itself. */
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** The host that describes the client, if its id is the URL of a metadata document. */
  readonly host?: string;
}
