import type { OptionSpec } from './command.ts';

/** Options that every command takes. */
export const commonOptions: readonly OptionSpec[] = [
  {
    name: 'config',
    value: 'file',
    help: 'a configuration file to use instead of the well-known ones',
    multiple: true,
  },
  { name: 'json', help: "the specification's own objects, one line each" },
  { name: 'yes', help: 'agrees to start servers that a project names' },
  { name: 'help', help: 'this text' },
  { name: 'version', help: 'the version of mcp' },
];
