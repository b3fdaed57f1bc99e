// Loaded before the runtime client of AWS: takes the place of its native HTTP client, which an installation
// would compile with CMake. Everything else is the client as it is published.
import { request } from 'node:http';
import { registerHooks } from 'node:module';

const native = './rapid-client.node';

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === native
      ? { url: `${import.meta.url}?client`, format: 'module', shortCircuit: true }
      : next(specifier, context),
});

const post = (path, body) =>
  request(`http://${process.env.AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime/invocation/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  }).end(body);

export const done = (id, body) => post(`${id}/response`, body);
export const error = (id, body) => post(`${id}/error`, body);
