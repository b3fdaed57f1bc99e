/**
 * The well-known URLs at which an issuer of tokens may have its metadata, in the order to try them: RFC 8414,
 * section 3.1, and OpenID Connect Discovery 1.0, section 4.
 */
export function issuerMetadataUrls(issuer: URL): URL[] {
  const [oauth, openid] = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];
  const path = issuer.pathname.replace(/\/$/, '');
  const paths = path === '' ? [oauth, openid] : [`${oauth}${path}`, `${openid}${path}`, `${path}${openid}`];
  return paths.map((pathname) => Object.assign(new URL(issuer), { pathname }));
}
