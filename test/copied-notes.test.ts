import { testCopiedServer } from './copied-server.ts';

testCopiedServer('notes', ['notes']);
