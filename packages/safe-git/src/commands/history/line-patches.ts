import type { Command } from '../../command.ts';
import { diffOptions } from './diff.ts';
import { logArgs, logRefusals, type LogOptions } from './log.ts';
import { plainCommits } from '../../parse/nul-records.ts';
import { shownPatch } from '../../parse/patch-text.ts';
import { textOf } from '../../safe-text.ts';

/**
 * Returns, by the hash of each commit, the patch by which the commit changed the lines that `options.lines`
 * selects.
 */
export function linePatches(options: LogOptions): Command<Map<string, string>> {
  return {
    args: logArgs(options, ['--format=tformat:%H%x00', ...plainCommits, ...diffOptions, '--patch']),
    refusals: logRefusals(options),
    parse: ({ stdout }) => parseLinePatches(stdout),
  };
}

/** A line of a patch starts with a sign, a space or a word of git, so none looks like a hash with a NUL. */
function parseLinePatches(output: Buffer): Map<string, string> {
  const parts = output.toString('latin1').split(/^([0-9a-f]{40,64})\0\n/m);
  const patches = new Map<string, string>();
  for (let at = 1; at < parts.length; at += 2)
    patches.set(parts[at]!, shownPatch(textOf(Buffer.from(parts[at + 1]!.trim(), 'latin1'))));
  return patches;
}
