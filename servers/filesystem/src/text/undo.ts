import { counted } from '@mcp/sandbox';

/**
 * Returns the last line of an answer, which says how to undo the call. Undoing leaves `createdDirectories`
 * behind.
 */
export function undo(how: string, createdDirectories = 0): string {
  const verb = createdDirectories === 1 ? 'remains' : 'remain';
  const rest =
    createdDirectories > 0
      ? `; ${counted(createdDirectories, 'created directory', 'created directories')} ${verb}`
      : '';
  return `Undo: ${how}${rest}`;
}
