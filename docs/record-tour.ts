import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tourPicture } from './tour-picture.ts';
import { tourSession } from './tour-session.ts';
import { TourVisitor } from './tour-visitor.ts';

// Runs the tour, and writes its output and the picture of it: `node docs/record-tour.ts`, after `pnpm build`

using visitor = await TourVisitor.create();
const session = await tourSession(visitor);
writeFileSync(join(import.meta.dirname, 'tour.txt'), session);
writeFileSync(join(import.meta.dirname, 'tour.svg'), tourPicture(session));
