import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Growth, type Measured, tooFast } from './growth.ts';
import { plot } from './plot.ts';
import { filesOfTree } from './subjects/files.ts';
import { commitsOfHistory } from './subjects/commits.ts';
import { gatewayServers } from './subjects/gateway-servers.ts';
import { httpStreams } from './subjects/http-streams.ts';
import { lengthOfMessages } from './subjects/messages.ts';
import { rowsOfTable } from './subjects/rows.ts';
import { subscribedFiles } from './subjects/subscriptions.ts';
import { toolsListed } from './subjects/tools.ts';

// Measures how time and memory grow with the work, prints the tables, and draws each as an SVG.

const growths: readonly Growth[] = [
  toolsListed,
  lengthOfMessages,
  httpStreams,
  subscribedFiles,
  filesOfTree,
  rowsOfTable,
  commitsOfHistory,
  gatewayServers,
];

process.chdir(join(import.meta.dirname, '..'));
const { names, large, write } = asked();
const chosen = growths.filter(({ name }) => names.length === 0 || names.includes(name));
const problems: string[] = [];
const page: string[] = [];
for (const growth of chosen) {
  const rows: Measured[] = [];
  for (const size of [...growth.sizes, ...(large ? (growth.large ?? []) : [])]) {
    rows.push({ size, values: await growth.measure(size) });
    process.stderr.write(`${growth.name}: ${size} ${growth.unit}\n`);
  }
  const table = tableOf(growth, rows);
  console.log(table);
  page.push(table, `![${growth.name}](./pictures/growth-${growth.name}.svg)\n`);
  problems.push(...tooFast(growth, rows).map((each) => `${growth.name}: ${each}`), ...missed(growth, rows));
  if (write) {
    const pictures = join(import.meta.dirname, '../../docs/pictures');
    mkdirSync(pictures, { recursive: true });
    writeFileSync(join(pictures, `growth-${growth.name}.svg`), plot(growth, rows));
  }
}
if (write && names.length === 0)
  writeFileSync(join(import.meta.dirname, 'results.md'), heading() + page.join('\n'));
for (const each of problems) console.log(`- MISSED: ${each}`);
process.exitCode = problems.length > 0 ? 1 : 0;

function asked() {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { large: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
  });
  const unknown = positionals.find((each) => !growths.some(({ name }) => name === each));
  if (unknown !== undefined) {
    console.error(`There is no growth "${unknown}"; expected ${growths.map(({ name }) => name).join(', ')}
Usage: pnpm bench growth [<name> …] [--large] [--write]`);
    process.exit(2);
  }
  return { names: positionals, ...values };
}

function missed({ name, columns, atMost = {} }: Growth, rows: readonly Measured[]): readonly string[] {
  return Object.entries(atMost).flatMap(([column, bound]) => {
    const value = rows.at(-1)!.values[columns.indexOf(column)]!;
    return value <= bound ? [] : [`${name}: ${column} is ${figure(value)}, at most ${bound}`];
  });
}

function heading(): string {
  const model = cpus()[0]?.model ?? 'unknown processor';
  const when = new Date().toLocaleDateString('en', { month: 'long', year: 'numeric' });
  return `Measured in ${when}: Node ${process.versions.node}, ${process.platform}, ${cpus().length} × ${model.trim()}.\n\n`;
}

function tableOf({ name, about, unit, columns, reasons = {} }: Growth, rows: readonly Measured[]): string {
  const because = Object.entries(reasons).map(([column, reason]) => `\n${column}: ${reason}.`);
  return `
### ${name}

${about}

| ${unit} | ${columns.join(' | ')} |
|---:|${'---:|'.repeat(columns.length)}
${rows.map(({ size, values }) => `| ${size.toLocaleString('en')} | ${values.map(figure).join(' | ')} |`).join('\n')}
${because.join('')}`;
}

function figure(value: number): string {
  if (Number.isNaN(value)) return '';
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(2);
}
