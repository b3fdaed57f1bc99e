import { expect, test } from 'vitest';
import { callTool, Workspace } from './workspace.ts';

const revisions = ['2025-06-18', '2025-11-25', '2026-07-28'];

test.each(revisions)('asks the user which of several places is meant, at %s', async (revision) => {
  await using workspace = await Workspace.create();
  const asked: unknown[] = [];
  await using client = await workspace.connect(
    {},
    {
      revision,
      elicit: (request) => {
        asked.push(request);
        return Promise.resolve({
          action: 'accept' as const,
          content: { choice: 'Paris, Texas, United States (33.66094° N 95.55551° W)' },
        });
      },
    },
  );
  const { structuredContent } = await client.callTool('forecast', {
    place: 'Paris',
    days: 1,
    format: 'json',
  });
  const { place } = structuredContent as { place: unknown };
  expect(place).toMatchObject({ name: 'Paris', admin1: 'Texas', timezone: 'Europe/Berlin' });
  expect(asked).toMatchObject([
    {
      message: 'Which place do you mean by "Paris"?',
      requestedSchema: {
        type: 'object',
        properties: {
          choice: {
            type: 'string',
            enum: [
              'Paris, Île-de-France, France (48.85341° N 2.3488° E)',
              'Paris, Texas, United States (33.66094° N 95.55551° W)',
            ],
          },
        },
        required: ['choice'],
      },
    },
  ]);
  // Two places of a prompt are asked for together.
  asked.length = 0;
  await expect(client.getPrompt('compare-places', { a: 'Paris', b: 'London' })).rejects.toThrow();
  expect(asked).toHaveLength(2);
});

test.each(['decline', 'cancel'] as const)(
  'lists the candidates in an error when the user does not choose (%s)',
  async (action) => {
    await using workspace = await Workspace.create();
    await using client = await workspace.connect({}, { elicit: () => Promise.resolve({ action }) });
    const { isError, facts } = await callTool(client, 'save_place', {
      name: 'home',
      place: 'Springfield',
    });
    expect(isError).toBe(true);
    expect(facts['candidates']).toHaveLength(5);
  },
);

test('refuses a choice that was not offered', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect(
    {},
    { elicit: () => Promise.resolve({ action: 'accept' as const, content: { choice: 'Atlantis' } }) },
  );
  const { isError, text } = await callTool(client, 'current', { place: 'London' });
  expect(isError).toBe(true);
  expect(text).toContain('The answer does not fit the form');
});

test.each([{}, { elicitation: { url: {} } }])(
  'lists the candidates in an error when the client cannot show a form, with the capabilities %j',
  async (capabilities) => {
    await using workspace = await Workspace.create();
    await using client = await workspace.connect({}, { capabilities });
    expect(await callTool(client, 'current', { place: 'London' })).toMatchObject({
      isError: true,
      facts: { error: 'ambiguous_place' },
    });
  },
);
