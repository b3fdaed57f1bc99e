import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { repository } from '../pack/pack.ts';
import { servers } from '../version/registry-entry.ts';

/** Lints the Dockerfile of each server. Throws with what is wrong. */
export function checkDockerfiles(): void {
  for (const { name } of servers) checkDockerfile(join(repository, 'servers', name, 'Dockerfile'));
  console.log('The Dockerfiles of all servers have no fault, and none runs as root');
}

/** Lints a Dockerfile, which must not run as root. Throws with what is wrong. */
export function checkDockerfile(file: string): void {
  const text = readFileSync(file, 'utf8');
  const faults = validate(text).map(
    ({ message, range }) =>
      `line ${range.start.line + 1}: ${typeof message === 'string' ? message : message.value}`,
  );
  if (!/^USER (?!root)/m.test(text)) faults.push('no USER: the server would run as root');
  if (faults.length > 0) throw new Error(`${file}: ${faults.join('; ')}`);
}
