import { appendFileSync } from 'node:fs';

// Loaded into a server before its program (`node --import`): appends what the server receives to $RECEIVED.

const { stdin } = process;
const emit = stdin.emit.bind(stdin);
stdin.emit = (event, ...values) => {
  if (event === 'data') appendFileSync(process.env.RECEIVED, values[0]);
  return emit(event, ...values);
};
