import { type FormatName, formats } from '../formats/formats.ts';
import { type Environment, type WellKnownFile, wellKnownFiles } from '../formats/well-known-files.ts';

/** The hosts whose files can be written, by the names of the options `--to` and `--from`. */
export const hostNames = (Object.keys(formats) as FormatName[]).filter((name) => name !== 'any');

/**
 * The files of a host in the order in which they are written: the first one that exists, or else the first.
 * The part of Claude Code's file for one project is not among them.
 */
export function filesOfHost(
  name: FormatName,
  scope: 'user' | 'project',
  environment: Environment,
): readonly WellKnownFile[] {
  return wellKnownFiles(environment).filter(
    (file) =>
      file.format === name &&
      file.scope === scope &&
      file.part !== 'local' &&
      (file.project ?? environment.cwd) === environment.cwd,
  );
}
