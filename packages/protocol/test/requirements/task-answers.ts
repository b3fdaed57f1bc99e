import { defineTool } from '@mcp/protocol';
import { extension } from './task-server.ts';

export const hello = defineTool({ name: 'hello', description: 'Greets.', run: () => 'Hello' });

/** The error of a client that does not declare the extension, which `subject` requires. */
export const missing = (subject: string) => ({
  code: -32021,
  message: `The ${subject} requires that the client declares the extension "${extension}"`,
  data: { requiredCapabilities: { extensions: { [extension]: {} } } },
});

export const unknown = { code: -32602, message: 'Unknown or expired "taskId"' };
