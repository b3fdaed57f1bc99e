import { isObject } from '@mcp/kit';
import type { JsonObject } from '../jsonrpc/message.ts';
import { jsonSchema } from '../schema/schema.ts';
import type { Extension } from '../define/extension.ts';
import { modern } from './table.ts';

const task = jsonSchema<JsonObject>({ type: 'object' }, (value) => {
  if (isObject(value)) return value;
  throw new Error('expected an object');
});

const named = jsonSchema<JsonObject & { readonly taskId: string }>(
  { type: 'object', properties: { taskId: { type: 'string' } }, required: ['taskId'] },
  (value) => {
    if (isObject(value) && typeof value['taskId'] === 'string') return { ...value, taskId: value['taskId'] };
    throw new Error('"taskId" must be a string');
  },
);

/**
 * The tasks extension: what a client and a server with tasks declare, and the methods by which the client
 * gets the state of a task, answers its questions and cancels it. `createTasks` serves it, and `client.tasks`
 * uses it.
 * @see https://modelcontextprotocol.io/seps/2663-tasks-extension
 */
export const tasksExtension = {
  // Not made by `defineExtension`, whose checks would be a part of each start.
  id: 'io.modelcontextprotocol/tasks',
  revisions: [modern.version],
  methods: {
    'tasks/get': { params: named, result: task },
    'tasks/update': { params: named, result: task },
    'tasks/cancel': { params: named, result: task },
  },
  notifications: {},
  meta: {},
} satisfies Extension;
