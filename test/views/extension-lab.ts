import { watch } from 'node:fs';
import { defineServer, defineTool, elicit, jsonSchema } from '@mcp/protocol';
import { serveStdio } from '@mcp/protocol/stdio';
import { createTasks } from '@mcp/protocol/tasks';
import { defineSkill, serveSkills } from '@mcp/skills';

// A server with tasks and a skill: extension-lab.ts <file that ends a job> <directory of the skill>.

const [file = '', skill = ''] = process.argv.slice(2);

const colour = jsonSchema(
  {
    type: 'object',
    properties: { colour: { type: 'string', enum: ['red', 'blue'] } },
    required: ['colour'],
  },
  (value) => value as { colour: string },
);

const job = defineTool({
  name: 'job',
  description: 'Ends when its file changes.',
  task: 'optional',
  run: async (_, { asTask, signal }) => {
    await asTask('Working');
    await new Promise<void>((resolve) => {
      watch(file, () => resolve()).unref();
      signal.addEventListener('abort', () => resolve());
    });
    return 'The job is done';
  },
});

const survey = defineTool({
  name: 'survey',
  description: 'Asks as a task.',
  task: 'optional',
  run: async (_, call) => {
    await call.asTask('Asking');
    return `The user says ${JSON.stringify(await call.ask('colour', elicit('Which colour?', colour)))}`;
  },
});

const quick = defineTool({ name: 'quick', description: 'Is no task.', run: () => 'At once' });

await serveStdio(
  defineServer({
    name: 'extension-lab',
    version: '1.0.0',
    tools: [job, survey, quick],
    tasks: createTasks({ pollIntervalMs: 50 }),
    extensions: [serveSkills([defineSkill(skill)])],
  }),
);
