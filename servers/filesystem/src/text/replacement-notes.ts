import type { InPlace } from '../backend/write/replace-file.ts';

const reasons = {
  directory: 'its directory allows no replacement',
  'access control': 'its access control list cannot be copied',
};

/** The effects of a replacement on a file beside its changed content. */
export function replacementNotes(detachedHardLinks: number, inPlace: InPlace): string[] {
  return [
    ...(detachedHardLinks > 0 ? [`Other hard links, which keep the old content: ${detachedHardLinks}`] : []),
    ...(inPlace ? [`Overwritten in place, not atomically: ${reasons[inPlace]}`] : []),
  ];
}
