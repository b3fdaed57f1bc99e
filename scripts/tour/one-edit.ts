import { appendFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { command, commandLine, end, lineOf, type Mcp, milliseconds, say, title } from './stage.ts';

/** An edit of the file `notes`, which two clients of different revisions watch through one gateway. */
export async function showOneEdit(sample: Mcp, notes: string): Promise<void> {
  title('One edit, and two clients of one gateway: of the first revision, and of the newest one');
  const { child: gateway, url } = await sample.serve();
  const uri = pathToFileURL(notes).href;
  const watches = await Promise.all(
    ['2024-11-05', '2026-07-28'].map(async (revision) => {
      const args = ['watch', url, uri, '--revision', revision, '--count', '1'];
      const child = sample.start(...args);
      const seen = lineOf(child, 'stdout', /file:.*/).then((line) => ({ line, at: performance.now() }));
      await lineOf(child, 'stderr', /^watching/);
      return { args, revision, seen };
    }),
  );
  for (const { args } of watches) command(`${commandLine(args)} &`);
  command('echo Two >> notes.txt');
  const from = performance.now();
  appendFileSync(notes, 'Two\n');
  for (const { revision, seen } of watches) {
    const { line, at } = await seen;
    say(`${revision}: ${line}, ${milliseconds(at - from)} after the edit`);
  }
  await end(gateway, 'SIGTERM');
}
