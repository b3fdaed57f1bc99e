import type { InPlace } from '../backend/write/replace-file.ts';

const reasons = {
  directory: 'its directory allows no replacement',
  'access control': 'its access control list cannot be copied',
};

/** What a replacement did to a file beside changing its content. */
export function replacementNotes(detachedHardLinks: number, inPlace: InPlace): string[] {
  return [
    ...(detachedHardLinks > 0 ? [`Other hard links, which keep the old content: ${detachedHardLinks}`] : []),
    ...(inPlace ? [`Overwritten in place, not atomically: ${reasons[inPlace]}`] : []),
  ];
}
