/**
 * The environment variable that names the cache of compiled code. A test that starts a program in an
 * environment of its own passes it on: otherwise each new home directory would get an empty cache.
 */
export const compileCache: Readonly<Record<string, string>> = variable('NODE_COMPILE_CACHE');

function variable(name: string): Record<string, string> {
  const value = process.env[name];
  return value === undefined ? {} : { [name]: value };
}
