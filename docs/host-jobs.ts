import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Job } from '../bench/host-jobs/job.ts';
import { jobs } from '../bench/host-jobs/jobs.ts';
import { ours, peers, type ProgramName, programs } from '../bench/host-jobs/programs.ts';
import { type Outcome, type Results, resultsFile } from '../bench/host-jobs/results.ts';
import { withParts } from './written-parts.ts';

// Writes what `node bench/host-jobs/run.ts` found into host-jobs.md: `node docs/host-jobs.ts`.

const page = join(import.meta.dirname, 'host-jobs.md');

/** Returns the page with the results. Throws if the comments that enclose a part are missing. */
export function withResults(text: string): string {
  const results = JSON.parse(readFileSync(resultsFile, 'utf8')) as Results;
  const { date, node } = results;
  const versions = Object.entries(results.versions).map(([name, version]) => `\`${name}\` ${version}`);
  const others = `${versions.join(', ')}, and \`@mcp/host\` of this repository`;
  return withParts(text, 'docs/host-jobs.ts', {
    versions: `As run on ${date} with Node ${node.slice(1)}, on Linux with two cores: ${others}.`,
    table: tableOf(results),
    starts: startsOf(results),
    failures: peers.map(({ name }) => failuresOf(name, results)).join('\n\n'),
    commands: jobs.map(commandsOf).join('\n\n'),
  });
}

const headings = programs.map(({ name }) => name);

function tableOf(results: Results): string {
  return markdownTable([
    ['', 'job', ...headings],
    ...jobs.map((job, index) => {
      const cells = headings.map((name) => cellOf(job, name, results.jobs[index]!));
      return [String(index + 1), job.title, ...cells];
    }),
  ]);
}

/** How many commands did a job, how long they took beside ours, and what they printed. */
function cellOf({ commands }: Job, name: ProgramName, outcomes: Results['jobs'][number]): string {
  const outcome = outcomes[name];
  if (!outcome) return 'cannot';
  if (outcome.wrong !== undefined) return 'not done';
  const time = name === ours.name ? '' : `${(outcome.ms / outcomes[ours.name]!.ms).toFixed(1)} ×, `;
  const count = commands[name].length;
  return `${count} command${count === 1 ? '' : 's'}, ${time}${bytesText(outcome.bytes)}`;
}

function bytesText(bytes: number): string {
  return bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} kB`;
}

function startsOf({ starts }: Results): string {
  const rows = starts.map(({ title, ratios }) => [
    title,
    ...headings.map((name) => ratios[name]?.toFixed(1) ?? '–'),
  ]);
  return markdownTable([['', ...headings], ...rows]);
}

/** The jobs that a program failed, each with the message of the check or the feature that is missing. */
function failuresOf(name: ProgramName, results: Results): string {
  const lines = jobs.flatMap(({ commands }, index) => {
    const outcome: Outcome | undefined = results.jobs[index]![name];
    const reason = outcome ? outcome.wrong?.split('\n')[0] : String(commands[name]);
    return reason === undefined ? [] : [`- ${index + 1}: ${reason}`];
  });
  return [`**${name}**`, lines.join('\n')].join('\n\n');
}

function commandsOf({ title, commands, typed }: Job, index: number): string {
  const blocks = headings.flatMap((name) => {
    const lines = commands[name];
    return typeof lines === 'string' ? [] : [`# ${name}`, ...lines];
  });
  const keys = typed?.split('\n').join(' ↵ ').trim();
  const note =
    keys === undefined ? '' : `The last command runs in a terminal, in which \`${keys}\` is typed.\n\n`;
  return `### ${index + 1}. ${title}\n\n${note}\`\`\`sh\n${blocks.join('\n')}\n\`\`\``;
}

function markdownTable([titles = [], ...rows]: readonly (readonly string[])[]): string {
  return [titles, titles.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`)
    .join('\n');
}

if (import.meta.main) writeFileSync(page, withResults(readFileSync(page, 'utf8')));
