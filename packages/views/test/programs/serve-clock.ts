import { serveStdio } from '@mcp/protocol/stdio';
import { clock, clockWithoutViews } from '../clock.ts';

await serveStdio(process.argv[2] === 'without' ? clockWithoutViews() : clock());
