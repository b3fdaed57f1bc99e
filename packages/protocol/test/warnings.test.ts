import { expect, onTestFinished, test, vi } from 'vitest';
import { defineResource, defineTool, ResourceNotFound } from '@mcp/protocol';
import { Client, memoryChannels } from '@mcp/protocol/testing';
import { serve } from '../src/server/serve.ts';
import { HttpWire } from './http/http-wire.ts';
import { atEveryRevision } from './every-revision.ts';
import { example } from './requirements/wire.ts';

const server = example({
  tools: [
    defineTool({
      name: 'broken',
      description: 'Has a mistake.',
      run: () => (undefined as unknown as { length: string }).length,
    }),
    defineTool({
      name: 'refuse',
      description: 'Cannot be done.',
      run: () => {
        throw new Error('Not today');
      },
    }),
  ],
  resources: [
    defineResource({
      uri: 'x:///{id}',
      name: 'x',
      read: () => '',
      watch: ({ id }) => {
        if (id === 'none') throw new ResourceNotFound('x:///none');
        throw new Error('Too many files are watched');
      },
    }),
  ],
});

atEveryRevision((revision) => {
  async function connect() {
    const warnings: string[] = [];
    const [ours, theirs] = memoryChannels();
    void serve(server, theirs, { onWarning: (message) => warnings.push(message) });
    return { client: await Client.connect(ours, { revision }), warnings };
  }

  test('the operator is warned of a bug in a tool, and not of an error that it throws on purpose', async () => {
    const { client, warnings } = await connect();
    expect(await client.callTool('refuse')).toMatchObject({ content: [{ text: 'Not today' }] });
    expect(warnings).toEqual([]);
    await client.callTool('broken');
    expect(warnings).toEqual([
      expect.stringMatching(/^The tool "broken" failed: TypeError: .*\n.*warnings\.test\.ts/s),
    ]);
    await client.close();
  });

  test('the client or the operator gets the reason why a resource cannot be watched', async () => {
    const { client, warnings } = await connect();
    await expect(client.subscribe('x:///none', () => {})).rejects.toThrow();
    expect(warnings).toEqual([]);
    const received = await client.subscribe('x:///a', () => {}).then(String, String);
    // Before 2026-07-28 the client gets an error, and the operator needs no warning.
    expect([received, ...warnings].join('\n')).toContain('Too many files are watched');
    await client.close();
  });
});

test.each(['2025-11-25', '2026-07-28'])(
  'a callback "onWarning" of an HTTP endpoint that throws changes no answer (%s)',
  async (version) => {
    const uncaught = vi.spyOn(process, 'emitWarning').mockReturnValue();
    onTestFinished(() => uncaught.mockRestore());
    const warn = () => {
      throw new Error('Warned carelessly');
    };
    await using wire = await HttpWire.open(server, version, { onWarning: warn });
    const answer: unknown = await (await wire.call('broken')).json();
    expect(answer).toMatchObject({ result: { isError: true } });
    expect(uncaught).toHaveBeenCalledWith(expect.stringContaining('Error: Warned carelessly'));
  },
);
