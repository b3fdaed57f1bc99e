import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { published, repository } from '../pack/pack.ts';

// Refuses a tag that is not the version of every published package:
// `node release/version/check-tag.ts v1.2.3`

const [tag = ''] = process.argv.slice(2);
for (const directory of published) {
  const manifest = readFileSync(join(repository, directory, 'package.json'), 'utf8');
  const { name, version } = JSON.parse(manifest) as { name: string; version: string };
  if (tag === `v${version}`) continue;
  console.error(
    `The tag is "${tag}", but ${name} has the version ${version}; delete the tag and make v${version}`,
  );
  process.exit(1);
}
