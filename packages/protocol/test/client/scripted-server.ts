import { serverCommand, type ServerCommand } from '@mcp/protocol/stdio';
import type { Connector } from '@mcp/protocol/client';

/**
 * The beginning of every scripted server: it answers by `on`, and by the handlers that a script adds there.
 */
const prelude = `
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const received = [];
const tool = { name: 'any', inputSchema: { type: 'object' } };
const complete = { content: [{ type: 'text', text: 'done' }] };
const stateless = { 'server/discover': () => ({ supportedVersions: ['2026-07-28'], capabilities: {}, resultType: 'complete' }) };
const handshake = { initialize: () => ({ protocolVersion: '2025-11-25', capabilities: { logging: {} }, serverInfo: { name: 's', version: '1' } }) };
let on = { 'tools/list': () => ({ tools: [tool] }), 'tools/call': () => complete, received: () => ({ received }) };
const take = (message) => {
  received.push(message);
  const { id, method, params } = message;
  if (id === undefined || method === undefined) return on[method]?.(params);
  if (!on[method]) return send({ id, error: { code: -32601, message: 'Unknown method' } });
  const result = on[method](params, id);
  if (result !== undefined) send({ id, result });
};
const lines = require('node:readline').createInterface({ input: process.stdin });
lines.on('line', (line) => take(JSON.parse(line)));
`;

/** A command that runs a script as a server over stdio. */
export function script(code: string, options: Partial<ServerCommand> = {}): ServerCommand {
  return {
    command: process.execPath,
    args: ['-e', `${prelude}${code}`],
    stderr: 'ignore',
    stopGraceMs: 300,
    ...options,
  };
}

/** A server of 2026-07-28 that runs a script, and one of 2025-11-25. */
export const statelessScript = (code = '', options: Partial<ServerCommand> = {}): Connector =>
  named(script(`Object.assign(on, stateless);${code}`, options), 'stateless.js');
export const sessionScript = (code = '', options: Partial<ServerCommand> = {}): Connector =>
  named(script(`Object.assign(on, handshake);${code}`, options), 'session.js');

/** The connector with a name of its own, so that it shares no stored handshake with another server. */
export function named(command: ServerCommand, name: string): Connector {
  return { ...serverCommand(command), name: `${name} ${crypto.randomUUID().slice(0, 8)}` };
}
