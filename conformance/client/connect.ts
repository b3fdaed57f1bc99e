import { Client, HttpChannel } from '@mcp/protocol/client';

export interface Run {
  readonly scenario: string;
  /** The revision to speak; undefined leaves the choice to the client. */
  readonly version: string | undefined;
  /** What the scenario gives the client, such as its credentials. */
  readonly context: { readonly [key: string]: unknown };
}

/** A client of the suite's server, as the scenario needs it. */
export function connectTo(url: string, { version }: Run): Promise<Client> {
  const channel = new HttpChannel(url);
  return Client.connect(channel, {
    name: 'conformance',
    version: '1.0.0',
    ...(version !== undefined && { protocolVersion: version }),
    elicit: () => Promise.resolve({ action: 'accept', content: {} }),
    warn: (message) => console.error(message),
  });
}
