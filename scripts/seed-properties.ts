import fc from 'fast-check';

// The gate judges a change, so it generates the same values for each: `pnpm fuzz` looks for new ones.
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 1) });
