import { Client } from '@mcp/protocol/client';
import type { ServerEntry } from '../../packages/host/src/config/entry/server-entry.ts';
import type { InspectedHost } from '../../packages/host/src/inspect/inspected-servers.ts';
import { Inspector } from '../../packages/host/src/inspect/inspector.ts';
import { Connection } from '../../packages/host/src/servers/connection.ts';
import { observedConnector } from '../../packages/host/src/servers/observed-connector.ts';
import type { PageEvent } from '../../packages/host/view/types.ts';
import { compile } from './compile.ts';
import { workerConnector } from './worker-connector.ts';

// What the page of the inspector has in place of a connection to `mcp inspect`: the inspector itself, with
// the one server of the playground.

export const serverName = 'playground';

/** Where the modules are that programs import. */
export const base = new URL('modules/', location.href).href;
let program = '';

const servers: InspectedHost = {
  async lease(name, { client: options } = {}) {
    const connector = workerConnector(name, compile(program, base), base);
    const observed = observedConnector(connector, name, (message) => inspector.add(message));
    const client = await Client.connect(observed, { name: 'playground', version: '1', ...options });
    return new Connection({ name } as ServerEntry, client, () => {});
  },
  shownTools: (_, tools) => tools,
};

const inspector = new Inspector({ servers, names: [serverName], version: '1' });

/** Sets the program that the next start of the server runs. */
export function setProgram(text: string): void {
  program = text;
}

export async function send<Result>(request: object): Promise<Result> {
  const answer = (await inspector.answer(request)) as {
    readonly result: Result;
    readonly error?: { readonly message: string };
  };
  if (answer.error) throw new Error(answer.error.message);
  return answer.result;
}

export function listen(onEvent: (event: PageEvent) => void, onState: (isConnected: boolean) => void): void {
  onState(true);
  inspector.listen((event) => {
    onEvent(event as PageEvent);
    return true;
  }, 0);
}
