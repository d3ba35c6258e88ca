/** Shorter strings are no secrets, and taking them out would spoil every message. */
const shortest = 4;
const replacement = "[secret]";

/** User name and password of a URL as they are sent. */
export function basicCredentials({ username, password }: URL): string {
  return Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString("base64");
}

/** What an endpoint is told and nobody else may read: the key, and what the base URL holds besides an address. */
export function secretsOf({
  key,
  baseUrl,
}: {
  readonly key: string | undefined;
  readonly baseUrl: string | undefined;
}) {
  const secrets = key === undefined ? [] : [key];
  if (baseUrl === undefined) return secrets;
  const url = new URL(baseUrl);
  if (url.password !== "") secrets.push(decodeURIComponent(url.password), basicCredentials(url));
  return [...secrets, ...url.searchParams.values()];
}

/** Takes secrets out of a text, as they are and as URLs and JSON write them: servers repeat what they were sent. */
export function withoutSecrets(secrets: readonly string[]): (text: string) => string {
  const forms = secrets
    .filter((secret) => secret.length >= shortest)
    .flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]);
  const longestFirst = [...new Set(forms)].sort((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((left, form) => left.replaceAll(form, replacement), text);
}
