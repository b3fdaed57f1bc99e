/**
 * How many times as much the generators make: 1 in the gate. Ten make more than a million
 * messages over stdio:
 *
 *     GENERATED_TIMES=10 pnpm exec vitest run anything properties uri-template --test-timeout=3600000
 */
export const times = Number(process.env['GENERATED_TIMES'] ?? 1);
