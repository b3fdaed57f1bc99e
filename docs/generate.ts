import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@mcp/protocol/client';
import { serverCommand } from '@mcp/protocol/stdio';
import { callText, promptText, resourceText, toolText } from './page-text.ts';
import { sampleDate, samples, type Sample } from './samples.ts';

// Writes what the pages of the servers include: tools, resources and prompts as the running servers list them, and
// the answers to real calls.

const root = join(import.meta.dirname, '..');
const target = join(import.meta.dirname, '.generated');
mkdirSync(target, { recursive: true });

await Promise.all(
  Object.entries(samples).map(async ([name, sample]) =>
    writeFileSync(join(target, `${name}.md`), await describe(name, sample)),
  ),
);
writeFileSync(join(target, 'security.md'), fromRoot('SECURITY.md'));
writeFileSync(join(target, 'benchmarks.md'), fromRoot('bench/README.md'));
writeFileSync(
  join(target, 'wishes-filesystem.md'),
  wishes('filesystem', ['F02', 'F07', 'F14', 'F18', 'F20', 'F24', 'F26']),
);
writeFileSync(
  join(target, 'wishes-sqlite.md'),
  wishes('sqlite', ['S01', 'S03', 'S05', 'S08', 'S11', 'S12', 'S14']),
);
writeFileSync(join(target, 'wishes-sums.md'), sums(Object.keys(samples)));
console.log(`Described ${Object.keys(samples).length} running servers`);

/** A document of the repository without its heading, its links leading from docs/. */
function fromRoot(path: string): string {
  const folder = path.includes('/') ? `${path.slice(0, path.lastIndexOf('/'))}/` : '';
  return readFileSync(join(root, path), 'utf8')
    .replace(/^# .*\n/, '')
    .replaceAll(/\]\((?!https?:|#)([^)]+)\)/g, `](../${folder}$1)`);
}

/** Rows of the table of measured wishes in the README of a server. */
function wishes(name: string, ids: readonly string[]): string {
  const [, table = ''] =
    /<!-- tasks: .*-->\n\n([\s\S]*?)\n<!-- \/tasks -->/.exec(
      readFileSync(join(root, `servers/${name}/README.md`), 'utf8'),
    ) ?? [];
  const [head, rule, ...rows] = table.split('\n').filter((line) => line !== '');
  const chosen = rows.filter((row) => ids.some((id) => row.startsWith(`| ${id} |`)));
  if (chosen.length !== ids.length) throw new Error(`The table of ${name} has not all of ${ids.join(', ')}`);
  return [head?.replace(/^\| +\|/, '| case |'), rule, ...chosen, ''].join('\n');
}

/** For each server and each of its peers, the sums of the wishes that both fulfil. */
function sums(names: readonly string[]): string {
  const rows = names.flatMap((name) => {
    const readme = readFileSync(join(root, `servers/${name}/README.md`), 'utf8');
    const [, table = ''] = /<!-- tasks: .*-->\n\n([\s\S]*?)\n<!-- \/tasks -->/.exec(readme) ?? [];
    const [head = [], , ...wishRows] = table
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()));
    return head.slice(4, -1).map((title, index) => {
      const both = wishRows.filter((cells) => /^\d/.test(cells[4 + index] ?? ''));
      const [ours, theirs] = [both.map((cells) => cells[3]), both.map((cells) => cells[4 + index])].map(
        sumOf,
      );
      const refused = wishRows.filter((cells) => cells.length > 1).length - both.length;
      const cells = [
        name,
        title.split(':')[0],
        both.length,
        ours?.calls,
        theirs?.calls,
        ours?.kB,
        theirs?.kB,
        refused,
      ];
      return `| ${cells.join(' | ')} |`;
    });
  });
  return [
    '| server | peer | wishes that both fulfil | calls here | calls there | kB here | kB there | wishes that only this one fulfils |',
    '| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...rows,
    '',
  ].join('\n');
}

/** The calls and the bytes, sent and received, of cells such as "2, 278 B, 1.2 kB". */
function sumOf(cells: readonly (string | undefined)[]): { calls: number; kB: string } {
  const units: Readonly<Record<string, number>> = { B: 1, kB: 1_000, MB: 1_000_000 };
  let calls = 0;
  let bytes = 0;
  for (const cell of cells) {
    calls += Number.parseInt(cell ?? '', 10);
    for (const [, amount, unit = ''] of (cell ?? '').matchAll(/([\d.]+) (k?M?B)/g))
      bytes += Number(amount) * units[unit]!;
  }
  return { calls, kB: (bytes / 1_000).toFixed(1) };
}

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
