import type { CommandInput } from '../../command-line/command.ts';
import type { ConfigurationFinding } from '../../config/check/check-configuration.ts';
import { exitCodes } from '../../errors.ts';
import type { Output } from '../../terminal/output.ts';
import { sanitizeLine } from '../../terminal/sanitize.ts';
import { noServers } from '../../views/no-servers.ts';
import { countText } from '../cost/number-text.ts';

/** Checks the configuration files and prints a line for each finding, with its file and line. */
export async function checkFiles({ configuration, output }: CommandInput): Promise<number> {
  // Imported only here, so that other commands start faster.
  const { checkConfiguration } = await import('../../config/check/check-configuration.ts');
  const findings = await checkConfiguration(configuration);
  const { files, servers, problems } = configuration;
  if (output.json) output.value({ files: files.map(({ path }) => path), findings });
  else {
    for (const finding of findings) output.text(textOf(finding, output));
    if (files.length === 0 && problems.length === 0) output.text(noServers());
    else {
      const all = new Set([...files.map(({ path }) => path), ...problems.map(({ file }) => file)]);
      output.text(
        `${countText(servers.length, 'server')} in ${countText(all.size, 'file')}: ${countsOf(findings)}`,
      );
    }
  }
  const levels = findings.map(({ level }) => level);
  if (levels.includes('fault')) return exitCodes.faults;
  return levels.includes('warning') ? exitCodes.warnings : exitCodes.ok;
}

function countsOf(findings: readonly ConfigurationFinding[]): string {
  const counts = (['fault', 'warning', 'note'] as const).flatMap((level) => {
    const count = findings.filter((each) => each.level === level).length;
    return count === 0 ? [] : [countText(count, level)];
  });
  return counts.length === 0 ? 'no faults' : counts.join(', ');
}

function textOf({ level, file, line, server, message }: ConfigurationFinding, output: Output): string {
  const place = line === undefined ? file : `${file}:${line}`;
  const text = sanitizeLine(`${place}: ${server === undefined ? '' : `${server}: `}${message}`);
  const style = { fault: 'red', warning: 'yellow', note: 'dim' } as const;
  return output.styled(style[level], `${level.padEnd(8)} ${text}`);
}
