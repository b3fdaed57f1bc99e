import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { beneath, type Bound } from './allowed-directories.ts';
import { quoted } from '../display-name.ts';
import { workPath } from './work-tree-path.ts';

/** Where something new may be made: inside the bound, with nothing there yet, and never in git's own directories. */
export function newPlace(bound: Bound, asked: string): string {
  const place = bound.place(asked);
  const root = bound.directories.find((directory) => beneath(directory, place))!;
  workPath(place, root);
  if (existsSync(place) && !(statSync(place).isDirectory() && readdirSync(place).length === 0)) {
    throw new Error(`There is something already: ${quoted(asked)}`);
  }
  if (!existsSync(dirname(place))) throw new Error(`No such directory: ${quoted(dirname(asked))}`);
  return place;
}
