import { createInterface } from 'node:readline';
import Database from 'better-sqlite3';

// Opens a database and runs each line of stdin, a JSON string of SQL, there.

const database = new Database(process.argv[2]);
for await (const line of createInterface(process.stdin)) {
  try {
    database.exec(JSON.parse(line));
    process.stdout.write('done\n');
  } catch (error) {
    process.stdout.write(`${String(error)}\n`);
  }
}
