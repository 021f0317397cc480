import { invalid } from '../../api-error.ts';

/** A slug that needs no encoding anywhere. Throws `ApiError` 422. */
export function checkSlug(slug: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(slug)) return slug;
  throw invalid({
    field: 'slug',
    code: 'invalid',
    message: 'slug must be letters, digits, - and _ (at most 100, the first a letter or digit)',
  });
}

/** The same for an organization, whose pages begin with it: pictures stand at these. Throws `ApiError` 422. */
export function checkOrganizationSlug(slug: string): string {
  if (!taken.has(slug)) return checkSlug(slug);
  const message = `slug must not be ${slug}: the service has other addresses there`;
  throw invalid({ field: 'slug', code: 'invalid', message });
}

const taken: ReadonlySet<string> = new Set(['avatars', 'badges', 'emojis', 'webhooks']);
