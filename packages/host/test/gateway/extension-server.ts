import { defineExtension, defineServer, notifyExtension, serveExtension } from '@mcp/protocol';
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

if (process.argv.includes('serve'))
  await serveStdio(defineServer({ name: 'echo', version: '1.0.0', extensions: [say] }));
