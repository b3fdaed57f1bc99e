import type { Command, OptionSpec } from './command.ts';
import { commonOptions, optionsOf } from './common-options.ts';

export function helpText(commands: readonly Command[], command?: Command): string {
  if (!command) {
    const rows = commands.map(({ name, usage, help }) => [`mcp ${name} ${usage}`.trim(), help] as const);
    return [
      'mcp starts and calls the Model Context Protocol servers that your hosts are configured with.',
      '',
      ...rows.flatMap(([usage, help]) => [`  ${usage}`, `      ${help}`]),
      '',
      'Instead of configured servers, commands take a URL, or a command after --:',
      '  mcp tools https://mcp.example.com/mcp',
      '  mcp tools -- npx -y @mcp/server-filesystem .',
      '',
      ...optionLines(commonOptions),
    ].join('\n');
  }
  const { name, usage, help, examples = [] } = command;
  return [
    `mcp ${name} ${usage}`.trim(),
    '',
    `  ${help}`,
    '',
    ...examples.map((example) => `  mcp ${example}`),
    ...(examples.length > 0 ? [''] : []),
    ...optionLines(optionsOf(command)),
  ].join('\n');
}

function optionLines(options: readonly OptionSpec[]): string[] {
  const shown = options.map(({ name, short, value, help, choices }) => [
    `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` <${value}>`}`,
    choices ? `${help}; one of ${choices.join(', ')}` : help,
  ]);
  const width = Math.max(...shown.map(([left = '']) => left.length));
  return shown.map(([left = '', help = '']) => `  ${left.padEnd(width)}  ${help}`);
}
