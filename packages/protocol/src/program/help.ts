import type { ProgramManifest } from './manifest.ts';
import type { ProgramOptions } from './options.ts';

/** The parts of a program that `--help` shows. */
interface Described {
  readonly manifest: ProgramManifest;
  readonly usage: string;
  readonly notes?: () => readonly string[];
}

/** The text of `--help`. */
export function help(
  { manifest, usage, notes }: Described,
  command: string,
  options: ProgramOptions,
): string {
  const rows = Object.entries(options).map(([name, { value, short, help: text }]) => {
    const names = short === undefined ? `--${name}` : `-${short}, --${name}`;
    return [`${names}${value === undefined ? '' : ` ${value}`}`, text] as const;
  });
  const width = Math.max(...rows.map(([option]) => option.length));
  return [
    ...(manifest.description === undefined ? [] : [`${manifest.description}\n`]),
    `${['Usage:', command, usage, '[options]'].filter(Boolean).join(' ')}\n`,
    ...rows.map(([option, text]) => `  ${option.padEnd(width)}  ${text}`),
    '\nServes the Model Context Protocol on stdin and stdout by default.\n',
    ...(notes ? [...notes(), ''] : []),
  ].join('\n');
}
