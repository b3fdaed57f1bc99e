import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import type { Packed } from '../pack/pack.ts';

/** Validates the bill of materials of each bundle, which names the same packages as its license notices. */
export async function checkBillsOfMaterials(packages: readonly Packed[], consumer: string): Promise<void> {
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
  for (const { name } of packages) {
    const dist = join(consumer, 'node_modules', name, 'dist');
    if (!readdirSync(dist).includes('sbom.cdx.json')) continue;
    const text = readFileSync(join(dist, 'sbom.cdx.json'), 'utf8');
    const fault = await validator.validate(text);
    if (fault !== null) throw new Error(`${name}: invalid sbom.cdx.json: ${JSON.stringify(fault)}`);
    const { components } = JSON.parse(text) as { components: { purl: string; version: string }[] };
    const notices = readFileSync(join(dist, 'third-party-licenses.txt'), 'utf8').split('\n---\n\n');
    if (components.length !== notices.length) {
      throw new Error(`${name}: ${components.length} components, but ${notices.length} license notices`);
    }
    console.log(`${name}: the bill of materials is valid and names ${components.length} packages`);
  }
}
