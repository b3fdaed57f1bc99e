// The packages that ship Node name their system and processor in a string, which pnpm passes over:
// it would install those of other systems too.
const readPackage = (manifest) => {
  for (const field of ['os', 'cpu']) {
    if (typeof manifest[field] === 'string') manifest[field] = [manifest[field]];
  }
  return manifest;
};

module.exports = { hooks: { readPackage } };
