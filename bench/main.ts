// `pnpm bench` measures trials; `pnpm bench growth` measures how time and memory grow with the work.

if (process.argv[2] === 'growth') {
  process.argv.splice(2, 1);
  await import('./growth/main.ts');
} else await import('./bench.ts');
