import { type Call, definePrompt, userMessage } from '@mcp/protocol';
import * as z from 'zod';
import type { Sqlite } from '../context.ts';
import { attachJson, promptSchemaLimits } from '../input/attach-json.ts';
import { uriOf } from '../input/database-uri.ts';

export const mcpDemo = definePrompt({
  name: 'mcp-demo',
  title: 'Demonstration',
  description: 'Demonstrates the server in a short story about a topic, step by step.',

  inputSchema: z.object({ topic: z.string().describe('Topic of the story') }),

  async run({ topic }, { context: { databases } }: Call<Sqlite>) {
    const found = databases.all[0]!;
    return [
      userMessage(
        `Show me what this server can do, with a small business story about: ${topic}\n\n` +
          '1. Set the scene: a person, a problem, and the data that would help. Keep it short.\n' +
          '2. Create fitting tables and rows with write, if that tool exists; otherwise use the existing tables.\n' +
          '3. Pause, and let me choose between three questions about the data.\n' +
          '4. Answer with query, show the SQL and its result, and continue the story.\n' +
          '5. Add each insight with append_insight, in one sentence.\n' +
          '6. After three rounds read memo://insights, and end the story with a conclusion.',
      ),
      attachJson(uriOf(found, 'schema'), await found.run('schema', promptSchemaLimits)),
    ];
  },
});
