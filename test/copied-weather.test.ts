import { testCopiedServer } from './copied-server.ts';

testCopiedServer('weather', ['--demo']);
