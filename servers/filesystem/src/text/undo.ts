import { counted } from '@mcp/sandbox';

/** Returns the last line of an answer: how to undo the call, and that created directories remain. */
export function undo(how: string, createdDirectories = 0): string {
  if (createdDirectories === 0) return `Undo: ${how}`;
  const verb = createdDirectories === 1 ? 'remains' : 'remain';
  return `Undo: ${how}; ${counted(createdDirectories, 'created directory', 'created directories')} ${verb}`;
}
