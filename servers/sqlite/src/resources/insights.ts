import { type Call, defineResource } from '@mcp/protocol';
import type { Sqlite } from '../context.ts';

/**
 * All insights, the texts that clients have added with append_insight, as JSON Lines: `{"insight", "at"}`.
 */
export const insights = defineResource({
  uri: 'memo://insights',
  name: 'insights',
  title: 'Insights',
  description: 'All insights added with append_insight, by any server, as JSON Lines.',
  mimeType: 'application/jsonl',

  read: (_, { context: { databases } }: Call<Sqlite>) => databases.insights.read(),
  async watch(_, changed, { context: { databases } }: Call<Sqlite>) {
    const stops = await Promise.all(
      databases.insights.files.map((path) => databases.watcher.watchFile(path, changed)),
    );
    return () => stops.forEach((stop) => stop());
  },
});
