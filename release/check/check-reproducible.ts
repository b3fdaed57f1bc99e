import { readFileSync } from 'node:fs';
import { type Packed, pack, published } from '../pack/pack.ts';

/** Builds and packs every package again, and throws unless the bytes are the same. */
export function checkReproducible(packages: readonly Packed[], into: string): void {
  for (const [index, directory] of published.entries()) {
    const first = packages[index]!;
    const second = pack(directory, into);
    if (!readFileSync(first.tarball).equals(readFileSync(second.tarball))) {
      throw new Error(`${first.name}: a second build has other bytes; compare the files of both tarballs`);
    }
  }
  console.log('A second build of every package has the same bytes');
}
