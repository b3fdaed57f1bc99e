import { transform } from 'sucrase';

/** The modules that a program of the playground can import, and their files in `modules`. */
export const modules: Readonly<Record<string, string>> = {
  '@mcp/protocol': 'protocol.js',
  '@mcp/protocol/stdio': 'stdio.js',
  '@mcp/protocol/state': 'state.js',
  '@mcp/protocol/wrap': 'wrap.js',
  '@mcp/server-weather': 'weather.js',
  '@mcp/watch': 'files.js',
  'node:fs/promises': 'files.js',
  'node:sqlite': 'sqlite.js',
  'node:timers/promises': 'timers.js',
  zod: 'zod.js',
};

/**
 * Turns a program in TypeScript into a module whose imports are addresses below `base`. Throws an `Error`
 * that names the line of a mistake, or a module that the playground does not have.
 */
export function compile(program: string, base: string): string {
  const { code } = transform(program, { transforms: ['typescript'], disableESTransforms: true });
  return code.replaceAll(
    /^(import\b[^'"]*|export\b[^'"=({]*(?:\{[^}]*\}\s*)?from\s*)(['"])([^'"]+)\2/gm,
    (_, before: string, quote: string, name: string) => {
      const file = Object.hasOwn(modules, name) ? modules[name] : undefined;
      if (file === undefined)
        throw new Error(`The playground has no module "${name}"; it has ${Object.keys(modules).join(', ')}`);
      return `${before}${quote}${new URL(file, base).href}${quote}`;
    },
  );
}
