import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tourPicture } from './tour-picture.ts';
import { tourSession } from './tour-session.ts';

// Runs the tour, and writes its output and the picture of it: `node docs/record-tour.ts`, after `pnpm build`

const session = await tourSession();
writeFileSync(join(import.meta.dirname, 'tour.txt'), session);
writeFileSync(join(import.meta.dirname, 'tour.svg'), tourPicture(session));
