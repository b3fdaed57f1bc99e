import { registerHooks } from 'node:module';

// Serves a session and its streams by the fetch entry, in a process that refuses to load the modules
// of servers; prints the messages that the client received.
registerHooks({
  resolve(specifier, context, next) {
    if (!/^(node:)?(https?|net|tls)$/.test(specifier)) return next(specifier, context);
    throw new Error(`"${specifier}" is imported by ${context.parentURL}`);
  },
});

const { webHandler } = await import('@mcp/protocol/web');
const { EventReader } = await import('../http/events.ts');
const { example, initialize } = await import('../requirements/wire.ts');

const { fetch: answer } = webHandler(example({}));
const basics = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const send = (init: RequestInit) => answer(new Request('http://localhost/mcp', init));
const post = (message: object, headers: { readonly [name: string]: string }) =>
  send({ method: 'POST', headers, body: JSON.stringify(message) });

const opened = await post(initialize(1, '2025-11-25'), basics);
const headers = { ...basics, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
const stream = await send({ headers: { ...headers, accept: 'text/event-stream' } });
const events = new EventReader(stream);
const first = await events.next();
const accepted = await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, headers);
const ended = await send({ method: 'DELETE', headers });
const last = await events.next();
const again = await send({ method: 'DELETE', headers });
const responses = [opened, stream, accepted, ended, again];
process.stdout.write(
  JSON.stringify({ statuses: responses.map(({ status }) => status), first, ended: last === undefined }),
);
