import { readdirSync, readFileSync } from 'node:fs';

/** A package of which code is in a bundle. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** The SPDX expression of its manifest. */
  readonly license: string;
  /** The text of its license file. */
  readonly licenseText: string;
}

/**
 * The packages that these files of a bundle come from, sorted by name. Throws for one without a license file.
 */
export function bundledPackages(inputs: readonly string[]): BundledPackage[] {
  const folders = inputs.map((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0]);
  return [...new Set(folders)]
    .filter((folder) => folder !== undefined)
    .map(readPackage)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function readPackage(folder: string): BundledPackage {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (!file) throw new Error(`No license file in ${folder}`);
  return { name, version, license, licenseText: readFileSync(`${folder}/${file}`, 'utf8').trim() };
}

/** The license notices as one text. */
export function licenseNotices(packages: readonly BundledPackage[]): string {
  return packages
    .map(({ name, version, licenseText }) => `${name} ${version}\n\n${licenseText}\n`)
    .join('\n---\n\n');
}

/**
 * The bill of materials in CycloneDX 1.6, without a time or serial number, so that two builds are the same.
 */
export function billOfMaterials(
  { name, version }: { readonly name: string; readonly version: string },
  packages: readonly BundledPackage[],
): string {
  const component = (type: string, of: { readonly name: string; readonly version: string }) => {
    const [scope, short = ''] = of.name.startsWith('@') ? of.name.split('/') : [undefined, of.name];
    const purl = `pkg:npm/${scope ? `${encodeURIComponent(scope)}/` : ''}${short}@${of.version}`;
    return { type, 'bom-ref': purl, ...(scope && { group: scope }), name: short, version: of.version, purl };
  };
  const own = component('application', { name, version });
  const components = packages.map((each) => ({
    ...component('library', each),
    licenses: [{ expression: each.license }],
  }));
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: own },
    components,
    dependencies: [{ ref: own['bom-ref'], dependsOn: components.map((each) => each['bom-ref']) }],
  };
  return `${JSON.stringify(bom, null, 2)}\n`;
}
