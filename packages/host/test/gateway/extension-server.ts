import { defineExtension, defineServer, notifyExtension, RpcError, serveExtension } from '@mcp/protocol';
import { serveStdio } from '@mcp/protocol/stdio';
import * as z from 'zod';

const text = z.object({ text: z.string() });

/** An extension that the gateway does not know. */
export const echo = defineExtension({
  id: 'com.example/echo',
  methods: { 'echo/say': { params: text, result: text } },
  notifications: { 'notifications/echo/heard': text },
});

const say = serveExtension(echo, {
  settings: { loud: true },
  run: {
    'echo/say': (params, call) => {
      notifyExtension(call, echo, 'notifications/echo/heard', params);
      return params;
    },
  },
});

/** An extension with one method, which answers with the name of its server. */
export const named = (id: string, method: string, requiresClient = true) =>
  defineExtension({
    id,
    methods: { [method]: { params: z.object({}), result: z.object({ by: z.string() }) } },
    requiresClient,
  });

// extension-server.ts serve, or extension-server.ts serve <name> <id> <method> [open] [fails]: an `open`
// extension answers clients that do not declare it.
const [verb, name = 'echo', id, method, ...flags] = process.argv.slice(2);
if (verb === 'serve') {
  const run = () => {
    if (flags.includes('fails')) throw new RpcError(-32_602, `${name} has failed`);
    return { by: name };
  };
  const served =
    id === undefined || method === undefined
      ? say
      : serveExtension(named(id, method, !flags.includes('open')), { run: { [method]: run } });
  await serveStdio(defineServer({ name, version: '1.0.0', extensions: [served] }));
}
