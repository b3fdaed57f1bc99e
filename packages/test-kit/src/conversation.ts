/** A line of a program's input: a request as method and parameters, or a text that is sent unchanged. */
export type Line = readonly [method: string, params: object] | string;

/** A program's input: the handshake of 2025-11-25 with the id 1, then the given lines, from id 2. */
export function conversation(...lines: readonly Line[]): string {
  let id = 1;
  const request = (method: string, params: object) =>
    JSON.stringify({ jsonrpc: '2.0', id: id++, method, params });
  const all = [
    request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1.0.0' },
    }),
    JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
    ...lines.map((line) => (typeof line === 'string' ? line : request(...line))),
  ];
  return all.map((line) => `${line}\n`).join('');
}

interface Message {
  readonly id?: number;
  readonly result?: { readonly [key: string]: unknown };
  readonly error?: { readonly code: number; readonly message: string };
}

interface Responses {
  readonly count: number;
  readonly get: (id: number | undefined) => Message;
}

/** The messages in a program's output. */
export function responses(stdout: string): Responses {
  const messages = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Message);
  return {
    count: messages.length,
    get: (id) => {
      const found = messages.find((message) => message.id === id);
      if (!found) throw new Error(`No response with the id ${id} in:\n${stdout}`);
      return found;
    },
  };
}
