import { startNotes } from './protected-notes.ts';

// Serves notes with the file and the public origin of the arguments. Prints the origin that it listens on.

const [file = '', origin = ''] = process.argv.slice(2);
const notes = await startNotes({ file }, { origin });
process.stdout.write(`${notes.origin}\n`);
process.stdin.resume().on('close', () => process.exit());
