import { fileURLToPath } from 'node:url';
import { extensionSettings } from '@mcp/protocol';
import { bundledProgram } from '@mcp/test-kit/bundled-program';
import { afterAll, describe, expect, test } from 'vitest';
import { echo } from './extension-server.ts';
import { GatewayProgram, probeServer } from './gateway-program.ts';

const server = bundledProgram(fileURLToPath(new URL('extension-server.ts', import.meta.url)));
const extended = { command: process.execPath, args: [server, 'serve'] };
const gateway = new GatewayProgram({ echo: extended, plain: probeServer('plain', 'legacy') });
const twice = new GatewayProgram({ one: extended, two: extended });
afterAll(() => Promise.all([gateway, twice].map((each) => each[Symbol.asyncDispose]())));

const extensions = { [echo.id]: {} };

describe.each(['2025-06-18', '2026-07-28'])('a client of %s', (revision) => {
  test.each(['stdio', 'http'] as const)(
    'uses an extension that the gateway does not know, over %s',
    async (transport) => {
      const { promise: heard, resolve } = Promise.withResolvers<unknown>();
      const onNotification = (method: string, params: unknown) => {
        if (method === 'notifications/echo/heard') resolve(params);
      };
      const client = await gateway[transport]({ revision, extensions, onNotification });
      expect(extensionSettings(client.capabilities, echo)).toEqual({ loud: true });
      expect(await client.callExtension(echo, 'echo/say', { text: 'Hi' })).toEqual({ text: 'Hi' });
      expect(await heard).toEqual({ text: 'Hi' });
    },
  );

  test('that does not declare the extension cannot call its methods', async () => {
    const client = await gateway.http({ revision });
    await expect(client.request('echo/say', { text: 'Hi' })).rejects.toThrow('echo/say');
  });

  test('is told of several servers that have the extension', async () => {
    const client = await twice.http({ revision, extensions });
    await expect(client.callExtension(echo, 'echo/say', { text: 'Hi' })).rejects.toThrow(
      'Several servers have extensions of this client: one, two; serve one of them alone for "echo/say"',
    );
  });
});
