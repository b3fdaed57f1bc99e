import { Client, serverAt } from '@mcp/protocol/client';
import { authorizationFor } from './authorization.ts';
import type { Run } from './run.ts';

/** A client of the suite's server, as the scenario needs it. */
export function connectTo(url: string, run: Run): Promise<Client> {
  const { version } = run;
  return Client.connect(serverAt(url, { authorize: authorizationFor(run) }), {
    name: 'conformance',
    version: '1.0.0',
    ...(version !== undefined && { revision: version }),
    elicit: () => Promise.resolve({ action: 'accept', content: {} }),
    onWarning: (message) => console.error(message),
  });
}
