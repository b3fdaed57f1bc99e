import type { InPlace } from '@mcp/sandbox';

const reasons = {
  directory: 'its directory allows no replacement',
  'access control': 'its access control list cannot be copied',
};

/** Returns notes on the effects of replacing a file, other than its new content. */
export function replacementNotes(detachedHardLinks: number, inPlace: InPlace): string[] {
  return [
    ...(detachedHardLinks > 0 ? [`Other hard links, which keep the old content: ${detachedHardLinks}`] : []),
    ...(inPlace ? [`Overwritten in place, not atomically: ${reasons[inPlace]}`] : []),
  ];
}
