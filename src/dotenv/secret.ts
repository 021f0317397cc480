/**
 * Whether a variable's name says that its value is a secret: `API_TOKEN`, `DB_PASSWORD`, `aws_key`. It covers the
 * default list of the public agent. Tables, the logs of jobs, the jobs' `buildkite-agent` and the environment of
 * the service in the background all use it.
 */
export const looksSecret = (name: string): boolean => secretName.test(name) && !isStepKey(name);

const secretName = new RegExp(
  [
    '(?:^|_)(?:TOKEN|SECRET|(?:PG)?PASSWORD|PASSWD|PASSPHRASE|KEY|CREDENTIAL|CONNECTION_STRING)S?(?:_|$)',
    '(?:^|_)(?:PAT|AUTHORIZATION|DATABASE_URL)$',
    '^MYSQL_PWD$',
  ].join('|'),
  'i',
);

/** Keys of steps and groups are names in a pipeline file, for everyone to see. */
const isStepKey = (name: string): boolean => /^BUILDKITE_(?:STEP|GROUP)_KEY$/.test(name);

// How programs print a secret: in JSON, in a URL, quoted for a shell, as base64.

/** Characters. A shorter line or piece of base64 also appears in text that has nothing to do with the secret. */
const shortestLine = 8;
const shortestBase64 = 6;

/** The secret itself, the ways in which programs escape it, and each long line of it. */
export function textForms(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const url = encodeURIComponent(Buffer.from(secret).toString());
  const strictUrl = url.replace(/[!'()*]/g, (one) => `%${hex(one, 2).toUpperCase()}`);
  const urls = [
    url,
    strictUrl,
    // Python keeps slashes, and Go keeps what is safe in a path. A form has `+` for a space.
    strictUrl.replaceAll('%2F', '/'),
    strictUrl.replace(/%(?:24|26|2B|2C|3A|3B|3D|40)/g, decodeURIComponent),
    strictUrl.replaceAll('%20', '+'),
    new URLSearchParams([['', secret]]).toString().slice(1),
  ];
  return unique([
    secret,
    // JavaScript and jq, Python, Go, PHP.
    ...[json, json.replace(/[^ -~]/g, unicode)].flatMap((form) => [
      form,
      form.replace(/[<>&\u2028\u2029]/g, unicode),
      form.replaceAll('/', String.raw`\/`),
      // A message in JSON within a line of JSON.
      JSON.stringify(form).slice(1, -1),
    ]),
    ...urls,
    ...urls.map((form) => form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())),
    // Within single quotes, as bash and dash print them, and within double quotes.
    secret.replaceAll("'", String.raw`'\''`),
    secret.replaceAll("'", `'"'"'`),
    secret.replace(/["$\\`]/g, String.raw`\$&`),
    // `printf %q`, and `$'…'`.
    secret.replace(/[\s!"$&'()*,;<>?[\\\]^`{|}]/g, String.raw`\$&`),
    secret
      .replace(/['\\]/g, String.raw`\$&`)
      .replaceAll('\n', String.raw`\n`)
      .replaceAll('\r', String.raw`\r`)
      .replaceAll('\t', String.raw`\t`),
    ...linesOf(secret),
  ]);
}

/**
 * The secret in base64, also with a newline after it and in the middle of other text, as in `user:password`. The
 * characters that it then shares with its neighbors are omitted.
 */
export function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const alone = [secret, `${secret}\n`].map((text) =>
    Buffer.from(text).toString('base64').replaceAll('=', ''),
  );
  const within = [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const isShared = (before + bytes.length) % 3 !== 0;
    return encoded.replaceAll('=', '').slice([0, 2, 3][before], isShared ? -1 : undefined);
  });
  return unique(
    [...alone, ...within].flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]),
  ).filter((form) => form.length >= shortestBase64);
}

/** A line of punctuation, such as `--------`, is no secret. */
function linesOf(secret: string): string[] {
  if (!secret.includes('\n')) return [];
  return secret
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length >= shortestLine && /[\p{L}\p{N}]/u.test(line));
}

const unicode = (one: string): string => String.raw`\u` + hex(one, 4);

const hex = (one: string, digits: number): string =>
  one.charCodeAt(0).toString(16).padStart(digits, '0');

const unique = (texts: readonly string[]): string[] => [...new Set(texts)];
