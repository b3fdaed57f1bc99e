import { globSync, mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@mcp/protocol/client';
import { serverCommand } from '@mcp/protocol/stdio';
import { callText, promptText, resourceText, toolText } from './page-text.ts';
import { sampleDate, samples, type Sample } from './samples.ts';
import { fromRoot, startOf } from './server-documents.ts';
import { programsText } from './side-by-side.ts';

// Writes what the pages of the servers include: tools, resources and prompts as the running servers list
// them, and the answers to real calls.

const root = join(import.meta.dirname, '..');
const target = join(import.meta.dirname, '.generated');
mkdirSync(target, { recursive: true });

await Promise.all(
  Object.entries(samples).map(async ([name, sample]) =>
    writeFileSync(join(target, `${name}.md`), await describe(name, sample)),
  ),
);
for (const name of Object.keys(samples)) writeFileSync(join(target, `${name}-start.md`), startOf(name));
writeFileSync(join(target, 'security.md'), fromRoot('SECURITY.md'));
writeFileSync(join(target, 'benchmarks.md'), fromRoot('bench/README.md'));
writeFileSync(join(target, 'side-by-side.md'), programsText());
console.log(`Described ${Object.keys(samples).length} running servers`);

async function describe(name: string, { prepare, calls }: Sample): Promise<string> {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-docs-')));
  const directory = join(scratch, 'project');
  mkdirSync(directory);
  const args = [join(root, `servers/${name}/dist/main.cjs`), ...prepare(directory, join(root, 'servers'))];
  for (const path of globSync('**', { cwd: directory }))
    utimesSync(join(directory, path), sampleDate, sampleDate);
  const client = await Client.connect(serverCommand({ command: process.execPath, args, cwd: directory }));
  const hide = (text: string) =>
    text
      .replaceAll(scratch, '/home/ada')
      .replaceAll(/"(?:accessed|changed|created)(?:At)?": ?"[^"]+"/g, (pair) =>
        pair.replace(/"[^"]+"$/, '"…"'),
      );
  try {
    const tools = await client.listTools();
    const readers = tools.filter((tool) => tool.annotations?.readOnlyHint).map((tool) => tool.name);
    const unknown = Object.keys(calls).filter((tool) => !tools.some((each) => each.name === tool));
    const missing = readers.filter((tool) => !(tool in calls));
    if (missing.length + unknown.length > 0) {
      throw new Error(`${name}: no example for [${missing.join(', ')}], no tool [${unknown.join(', ')}]`);
    }
    const answers = new Map<string, string>();
    for (const [tool, example] of Object.entries(calls)) {
      const result = await client.callTool(tool, example);
      if (result.isError) throw new Error(`${name}.${tool} fails: ${JSON.stringify(result.content)}`);
      answers.set(tool, hide(callText(example, result.content)));
    }
    const templates = await client.listResourceTemplates();
    return [
      '## Tools\n',
      ...tools.map((tool) => toolText(tool, answers.get(tool.name))),
      '## Resources\n',
      resourceText(templates),
      '## Prompts\n',
      ...(await client.listPrompts()).map(promptText),
    ].join('\n');
  } finally {
    await client.close();
    rmSync(scratch, { recursive: true });
  }
}
