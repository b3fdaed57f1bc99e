import { expect, test } from 'vitest';
import { requireConfirmation, defineTool } from '@mcp/protocol';
import { connect } from '@mcp/protocol/testing';
import { atEveryRevision } from './every-revision.ts';
import { example, Wire } from './requirements/wire.ts';

const server = example({
  tools: [
    defineTool({
      name: 'clear',
      description: 'Deletes everything.',
      async run(_, call) {
        await requireConfirmation(call, 'Delete everything?');
        return 'Deleted';
      },
    }),
  ],
});

atEveryRevision((revision) => {
  const canAsk = revision >= '2025-06-18';

  test.each([
    ['accepts', { action: 'accept', content: { confirm: true } }, 'Deleted'],
    ['unticks', { action: 'accept', content: { confirm: false } }, 'Not done: the user declined'],
    ['declines', { action: 'decline' }, 'Not done: the user declined'],
    ['closes the form', { action: 'cancel' }, 'Not done: the user declined'],
    [
      'answers something else',
      { action: 'accept', content: { confirm: 'yes' } },
      'The answer does not fit the form: "confirm" must be true or false',
    ],
  ] as const)('a user who %s', async (_, answer, expected) => {
    const asked: string[] = [];
    await using client = await connect(server, {
      revision,
      elicit: async ({ message }) => {
        asked.push(message);
        return answer;
      },
    });
    const { content } = await client.callTool('clear');
    expect(content).toEqual([{ type: 'text', text: canAsk ? expected : 'Deleted' }]);
    expect(asked).toEqual(canAsk ? ['Delete everything?'] : []);
  });

  const silent = [{}, { elicitation: { url: {} } }, ...(canAsk ? [] : [{ elicitation: {} }])].filter(
    // Before elicitation by URL, every client with elicitation supports forms.
    (capabilities) => revision !== '2025-06-18' || !('elicitation' in capabilities),
  );
  test.each(silent)('a client with the capabilities %j gets no question', async (capabilities) => {
    const wire = await Wire.open(server, revision, { capabilities });
    expect(await wire.call('clear')).toMatchObject({ content: [{ type: 'text', text: 'Deleted' }] });
    expect(await wire.end()).toEqual([]);
  });
});
