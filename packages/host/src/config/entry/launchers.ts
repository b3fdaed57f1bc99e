/** Commands that start a package, which they download if it is not there. */
export const launchers = /(?:^|[\\/])(?:npx|bunx|pnpx|uvx)(?:\.cmd|\.exe)?$/;
