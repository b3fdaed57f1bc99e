import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('..', import.meta.url));

/** The built program of a server in this repository. */
export function serverProgram(name: string): string {
  return `${repository}servers/${name}/dist/main.cjs`;
}
