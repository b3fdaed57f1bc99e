import { weather } from '@mcp/server-weather';

// What `npx -y @mcp/server-weather --demo` serves: made-up weather of Berlin, Kathmandu and Springfield.
// The package is a command; only the playground has this module.
export const server = weather({
  provider: 'dataset',
  demo: true,
  structured: true,
  directories: { data: '/weather', cache: '/weather/cache' },
  userAgent: 'playground',
});
