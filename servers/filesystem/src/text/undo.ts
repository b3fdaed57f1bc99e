import { counted } from './counted.ts';

/** How a call is taken back, as the last line of its answer; `createdDirectories` remain. */
export function undo(how: string, createdDirectories = 0): string {
  const verb = createdDirectories === 1 ? 'remains' : 'remain';
  const rest =
    createdDirectories > 0
      ? `; ${counted(createdDirectories, 'created directory', 'created directories')} ${verb}`
      : '';
  return `Undo: ${how}${rest}`;
}
