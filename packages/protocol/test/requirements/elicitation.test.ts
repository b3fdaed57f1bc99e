import { expect } from 'vitest';
import { z } from 'zod';
import {
  acceptedContent,
  defineTool,
  elicit,
  elicitUrl,
  inputRequired,
  jsonSchema,
  RpcError,
} from '@mcp/protocol';
import { questionTool, questionOf } from './question-tool.ts';
import { requirement } from './requirement.ts';
import { example, stateless, Wire } from './wire.ts';

const form = z.object({ name: z.string().min(2) });
const page = elicitUrl('Please sign in', 'https://example.com/sign-in');
const withForms = { capabilities: { elicitation: {} } };
const withPages = { capabilities: { elicitation: { form: {}, url: {} } } };

const everyField = z.object({
  name: z.string().min(1).max(50).default('Ada').meta({ title: 'Name', description: 'Who you are' }),
  mail: z.email(),
  site: z.url(),
  day: z.iso.date(),
  time: z.iso.datetime(),
  token: z.uuid(),
  age: z.int().min(0).max(150).default(30),
  share: z.number().positive(),
  sure: z.boolean().default(true),
  colour: z.enum(['red', 'green']).default('red'),
});

requirement(
  'ELIC-02',
  'elicitation by URL is not sent to a client that declares only forms',
  async (version) => {
    for (const elicitation of [{}, { form: {} }]) {
      const wire = await Wire.open(example({ tools: [questionTool(page)] }), version, {
        capabilities: { elicitation },
      });
      if (version === stateless) {
        expect(await wire.error('tools/call', { name: 'ask' })).toMatchObject({
          code: -32021,
          message: 'The request requires the client capability "elicitation.url"',
          data: { requiredCapabilities: { elicitation: { url: {} } } },
        });
      } else {
        expect(await wire.call('ask')).toEqual({
          content: [
            {
              type: 'text',
              text: 'The client does not support "elicitation.url", which the request requires',
            },
          ],
          isError: true,
        });
      }
      expect(await wire.end()).toEqual([]);
    }
  },
);

requirement(
  'ELIC-02',
  'a form is not sent to a client that declares only elicitation by URL',
  async (version) => {
    const wire = await Wire.open(example({ tools: [questionTool(elicit('Who?', form))] }), version, {
      capabilities: { elicitation: { url: {} } },
    });
    const refused = await wire.ask('tools/call', { name: 'ask' });
    expect(refused).toMatchObject(
      version === stateless
        ? { error: { code: -32021, data: { requiredCapabilities: { elicitation: { form: {} } } } } }
        : { result: { isError: true } },
    );
    expect(await wire.end()).toEqual([]);
  },
);

requirement('ELIC-05', 'an elicitation has a message and the schema of a flat object', async (version) => {
  const wire = await Wire.open(
    example({ tools: [questionTool(elicit('Who are you?', form))] }),
    version,
    withForms,
  );
  const { question, answer } = await questionOf(wire);
  expect(question).toEqual({
    method: 'elicitation/create',
    params: {
      ...(version >= '2025-11-25' && { mode: 'form' }),
      message: 'Who are you?',
      requestedSchema: {
        type: 'object',
        properties: { name: { type: 'string', minLength: 2 } },
        required: ['name'],
      },
    },
  });
  expect(await answer({ action: 'accept', content: { name: 'Ada' } })).toMatchObject({
    content: [{ text: '{"action":"accept","content":{"name":"Ada"}}' }],
  });
});

requirement(
  ['ELIC-05', 'ELIC-21'],
  'elicitation by URL has a URL, and an elicitationId in one revision only',
  async (version) => {
    const wire = await Wire.open(example({ tools: [questionTool(page)] }), version, withPages);
    if (version === '2025-06-18') {
      expect(await wire.call('ask')).toEqual({
        content: [{ type: 'text', text: 'Elicitation by URL is not part of protocol version 2025-06-18' }],
        isError: true,
      });
      return;
    }
    const { question, answer } = await questionOf(wire);
    expect(question).toEqual({
      method: 'elicitation/create',
      params: {
        mode: 'url',
        message: 'Please sign in',
        url: 'https://example.com/sign-in',
        ...(version === '2025-11-25' && { elicitationId: expect.stringMatching(/^[0-9a-f-]{36}$/) }),
      },
    });
    expect(await answer({ action: 'accept' })).toMatchObject({ content: [{ text: '{"action":"accept"}' }] });
  },
);

requirement('ELIC-05', 'elicitation with an invalid URL cannot be defined', (version) => {
  for (const url of ['', 'example.com', '/sign-in', 'https://']) {
    expect(() => elicitUrl(`Sign in at ${version}`, url)).toThrow(`Not a URL: "${url}"`);
  }
});

requirement('ELIC-05', 'a form that is not flat is not sent', async (version) => {
  const nested = {
    address: z.object({ street: z.string() }),
    lines: z.array(z.string()),
    either: z.union([z.string(), z.number()]),
    maybe: z.string().nullable(),
  };
  for (const [name, field] of Object.entries(nested)) {
    const ask = questionTool(elicit('Where?', z.object({ [name]: field })));
    const wire = await Wire.open(example({ tools: [ask] }), version, withForms);
    expect(await wire.call('ask')).toMatchObject({
      content: [{ text: `Invalid field "${name}" of a form; expected a string, number, boolean or choice` }],
      isError: true,
    });
    expect(await wire.end()).toEqual([]);
  }
});

requirement('ELIC-07', 'the fields of a form have the keywords of the revision', async (version) => {
  const full = version >= '2025-11-25';
  const wire = await Wire.open(
    example({ tools: [questionTool(elicit('Well?', everyField))] }),
    version,
    withForms,
  );
  const { question } = await questionOf(wire);
  expect(question['params']).toMatchObject({
    requestedSchema: {
      type: 'object',
      required: ['mail', 'site', 'day', 'time', 'token', 'share'],
    },
  });
  const { requestedSchema } = question['params'] as { requestedSchema: { properties: object } };
  expect(requestedSchema.properties).toEqual({
    name: {
      type: 'string',
      title: 'Name',
      description: 'Who you are',
      minLength: 1,
      maxLength: 50,
      ...(full && { default: 'Ada' }),
    },
    mail: { type: 'string', format: 'email' },
    site: { type: 'string', format: 'uri' },
    day: { type: 'string', format: 'date' },
    time: { type: 'string', format: 'date-time' },
    token: { type: 'string' },
    age: { type: 'integer', minimum: 0, maximum: 150, ...(full && { default: 30 }) },
    share: { type: 'number' },
    sure: { type: 'boolean', default: true },
    colour: { type: 'string', enum: ['red', 'green'], ...(full && { default: 'red' }) },
  });
});

requirement('ELIC-07', 'the titles of choices have the keywords of the revision', async (version) => {
  const red = { const: 'r', title: 'Red' };
  const green = { const: 'g', title: 'Green' };
  const titled = [
    jsonSchema(
      { type: 'object', properties: { it: { type: 'string', oneOf: [red, green] } } },
      (value) => value,
    ),
    z.object({
      it: z
        .union([z.literal('r').meta({ title: 'Red' }), z.literal('g').meta({ title: 'Green' })])
        .optional(),
    }),
  ];
  for (const one of titled) {
    const wire = await Wire.open(
      example({ tools: [questionTool(elicit('Which?', one))] }),
      version,
      withForms,
    );
    const { question } = await questionOf(wire);
    expect((question['params'] as { requestedSchema: object }).requestedSchema).toEqual({
      type: 'object',
      properties: {
        it:
          version >= '2025-11-25'
            ? { type: 'string', oneOf: [red, green] }
            : { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'] },
      },
    });
  }
});

requirement('ELIC-07', 'titles in `enumNames` are kept', async (version) => {
  const it = { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'] };
  const old = jsonSchema({ type: 'object', properties: { it } }, (value) => value);
  const wire = await Wire.open(example({ tools: [questionTool(elicit('Which?', old))] }), version, withForms);
  const { question } = await questionOf(wire);
  expect((question['params'] as { requestedSchema: object }).requestedSchema).toEqual({
    type: 'object',
    properties: { it },
  });
});

requirement('ELIC-07', 'multiple choice is sent only in revisions that define it', async (version) => {
  const anyOf = [{ const: 'r', title: 'Red' }];
  const several = jsonSchema(
    {
      type: 'object',
      properties: {
        plain: { type: 'array', minItems: 1, uniqueItems: true, items: { type: 'string', enum: ['r', 'g'] } },
        titled: { type: 'array', title: 'Colours', items: { anyOf }, default: ['r'] },
      },
    },
    (value) => value,
  );
  const wire = await Wire.open(
    example({ tools: [questionTool(elicit('Which?', several))] }),
    version,
    withForms,
  );
  if (version === '2025-06-18') {
    expect(await wire.call('ask')).toEqual({
      content: [
        {
          type: 'text',
          text: 'Choosing several values ("plain") is not part of protocol version 2025-06-18',
        },
      ],
      isError: true,
    });
    return;
  }
  const { question } = await questionOf(wire);
  expect((question['params'] as { requestedSchema: object }).requestedSchema).toEqual({
    type: 'object',
    properties: {
      plain: { type: 'array', minItems: 1, items: { type: 'string', enum: ['r', 'g'] } },
      titled: { type: 'array', title: 'Colours', items: { anyOf }, default: ['r'] },
    },
  });
});

requirement(
  ['ELIC-09', 'ELIC-10'],
  'elicitation by URL is sent as a request, never as an error',
  async (version) => {
    const able = await Wire.open(example({ tools: [questionTool(page)] }), version, withPages);
    const { answer } = await questionOf(able);
    expect(await answer({ action: 'accept' })).not.toHaveProperty('isError');
    const unable = await Wire.open(example({ tools: [questionTool(page)] }), version);
    expect(await unable.ask('tools/call', { name: 'ask' })).toMatchObject({ result: { isError: true } });
    // No notification reports that a page is done, to any client.
    expect((await able.end()).map(({ method }) => method)).toEqual(['elicitation/create']);
    expect(await unable.end()).toEqual([]);
  },
);

requirement('ELIC-09', 'a handler may throw the error that requires elicitation by URL', async (version) => {
  const elicitations = [
    { mode: 'url', elicitationId: 'one', url: 'https://example.com/', message: 'Please sign in' },
  ];
  const strict = defineTool({
    name: 'strict',
    description: 'Wants a page first.',
    run: () => {
      throw new RpcError(-32042, 'Sign in first', { elicitations });
    },
  });
  const wire = await Wire.open(example({ tools: [strict] }), version, withPages);
  expect(await wire.error('tools/call', { name: 'strict' })).toEqual({
    code: -32042,
    message: 'Sign in first',
    data: { elicitations },
  });
});

requirement(
  'ELIC-18',
  'the handler gets the answer of a user who declines or closes the form',
  async (version) => {
    const tool = questionTool(elicit('Who?', form), async ({ it }) => {
      const answer = await acceptedContent(it, form);
      return answer ? `Hello ${answer.name}` : `No name: ${(it as { action: string }).action}`;
    });
    const wire = await Wire.open(example({ tools: [tool] }), version, withForms);
    for (const [response, text] of [
      [{ action: 'accept', content: { name: 'Ada' } }, 'Hello Ada'],
      [{ action: 'decline' }, 'No name: decline'],
      [{ action: 'cancel' }, 'No name: cancel'],
    ] as const) {
      const { answer } = await questionOf(wire);
      expect(await answer(response)).toMatchObject({ content: [{ text }] });
    }
  },
);

requirement('ELIC-19', 'an answer that does not match the form is refused', async (version) => {
  const tool = questionTool(
    elicit('Who?', form),
    async ({ it }) => `Hello ${(await acceptedContent(it, form))?.name}`,
  );
  const wire = await Wire.open(example({ tools: [tool] }), version, withForms);
  for (const [content, issue] of [
    [{ name: 'A' }, 'name: Too small: expected string to have >=2 characters'],
    [{}, 'name: Invalid input: expected string, received undefined'],
    [undefined, 'name: Invalid input: expected string, received undefined'],
  ] as const) {
    const { answer } = await questionOf(wire);
    expect(await answer({ action: 'accept', ...(content && { content }) })).toMatchObject({
      content: [{ text: `The answer does not fit the form: ${issue}` }],
      isError: true,
    });
  }
});

requirement(
  ['ELIC-21', 'ELIC-22'],
  'an elicitation is a result, and its state is sealed',
  async (version) => {
    const tool = defineTool({
      name: 'sign_in',
      description: 'Has the user sign in.',
      run: (_, { inputs, state }) =>
        inputs['it'] ? `Done: ${JSON.stringify(state)}` : inputRequired({ it: page }, 'ticket 7'),
    });
    const wire = await Wire.open(example({ tools: [tool] }), version, withPages);
    const asked = await wire.call('sign_in');
    expect(asked).toMatchObject({ resultType: 'input_required', inputRequests: { it: {} } });
    expect(JSON.stringify(asked)).not.toMatch(/elicitationId|ticket/);
    const { requestState } = asked;
    expect(
      await wire.result('tools/call', {
        name: 'sign_in',
        arguments: {},
        requestState,
        inputResponses: { it: { action: 'accept' } },
      }),
    ).toMatchObject({ content: [{ text: 'Done: "ticket 7"' }] });
    expect(await wire.end()).toEqual([]);
  },
);
