/**
 * Whether a name such as `API_TOKEN` suggests a secret. Covers more names than the agent's list.
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

/** Step and group keys are public names in the pipeline file. */
const isStepKey = (name: string): boolean => /^BUILDKITE_(?:STEP|GROUP)_KEY$/.test(name);

/** Shorter lines and base64 strings are not redacted, because they also occur in unrelated text. */
const shortestLine = 8;
const shortestBase64 = 6;

/** Returns the secret, its escaped forms in various formats, and its long lines. */
export function textForms(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const url = encodeURIComponent(Buffer.from(secret).toString());
  const strictUrl = url.replace(/[!'()*]/g, (one) => `%${hex(one, 2).toUpperCase()}`);
  const urls = [
    url,
    strictUrl,
    // Variants of URL encoding: Python keeps slashes, Go keeps characters that are safe in a path,
    // and form encoding uses `+` for spaces.
    strictUrl.replaceAll('%2F', '/'),
    strictUrl.replace(/%(?:24|26|2B|2C|3A|3B|3D|40)/g, decodeURIComponent),
    strictUrl.replaceAll('%20', '+'),
    new URLSearchParams([['', secret]]).toString().slice(1),
  ];
  const ansi = secret
    .replace(/['\\]/g, String.raw`\$&`)
    .replace(/[\0-\x1f\x7f]/g, (one) => ansiNames[one] ?? octal(one.charCodeAt(0)));
  return unique([
    secret,
    // Escape sequences of JavaScript and jq, Python, Go, and PHP.
    ...[json, json.replace(/[^ -~]/g, unicode)].flatMap((form) => [
      form,
      form.replace(/[<>&\u2028\u2029]/g, unicode),
      form.replaceAll('/', String.raw`\/`),
      // JSON inside a JSON string.
      JSON.stringify(form).slice(1, -1),
    ]),
    ...urls,
    ...urls.map((form) => form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())),
    // In single quotes (as bash and dash print the secret), and in double quotes.
    secret.replaceAll("'", String.raw`'\''`),
    secret.replaceAll("'", `'"'"'`),
    secret.replace(/["$\\`]/g, String.raw`\$&`),
    // Escaped the way `printf %q` does it, and in `$'…'` form, as in the C locale.
    secret.replace(/[\s!"$&'()*,;<>?[\\\]^`{|}]/g, String.raw`\$&`),
    ansi,
    ansi.replace(/[^\0-\x7f]/gu, (one) => Array.from(Buffer.from(one), octal).join('')),
    ...linesOf(secret),
  ]);
}

/** Encodes the secret by itself, with a newline, and as part of text such as `user:password`. */
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

/** Skips lines of punctuation such as `--------`. */
function linesOf(secret: string): string[] {
  if (!secret.includes('\n')) return [];
  return secret
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length >= shortestLine && /[\p{L}\p{N}]/u.test(line));
}

const ansiNames: Readonly<Record<string, string>> = {
  ...{ '\x07': '\\a', '\b': '\\b', '\x1b': '\\E', '\f': '\\f' },
  ...{ '\n': '\\n', '\r': '\\r', '\t': '\\t', '\v': '\\v' },
};

const octal = (byte: number): string => `\\${byte.toString(8).padStart(3, '0')}`;

const unicode = (one: string): string => String.raw`\u` + hex(one, 4);

const hex = (one: string, digits: number): string =>
  one.charCodeAt(0).toString(16).padStart(digits, '0');

const unique = (texts: readonly string[]): string[] => [...new Set(texts)];
