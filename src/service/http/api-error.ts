import { isStorageError } from '../store/database.ts';

export interface FieldError {
  readonly field: string;
  readonly code: 'missing' | 'invalid' | 'too_long';
  readonly message?: string;
}

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly errors: readonly FieldError[];
  /** Additional fields for the response body. */
  readonly members: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    message: string,
    more: Partial<Pick<ApiError, 'headers' | 'errors' | 'members'>> = {},
  ) {
    super(message);
    this.status = status;
    this.headers = more.headers ?? {};
    this.errors = more.errors ?? [];
    this.members = more.members ?? {};
  }
}

export const unauthorized = (audience: keyof typeof credentials = 'access'): ApiError =>
  new ApiError(401, `Authentication required. Please supply a valid ${credentials[audience]}`);

const credentials = {
  access: 'API Access Token: `Authorization: Bearer TOKEN`',
  agent: 'Agent Registration Token: `Authorization: Token TOKEN`',
  registration: 'Agent Registration Token: `Authorization: Token TOKEN`',
  session: 'token for a registered agent: `Authorization: Token TOKEN`',
  job: 'token for a running job: `Authorization: Token TOKEN`',
} as const;

export const forbidden = (): ApiError => new ApiError(403, 'Forbidden');

export const missingScope = (scope: string): ApiError =>
  new ApiError(403, `Your access token doesn't have the ${scope} scope`);

export const notFound = (what: string): ApiError => new ApiError(404, `No ${what} found`);

export const badRequest = (message: string): ApiError => new ApiError(400, message);

export const refused = (message: string): ApiError => new ApiError(422, message);

/** Sent if the disk is full or the database is corrupt. Even reads may then be out of date. */
export const outOfOrder = (reason: string): ApiError =>
  new ApiError(507, `The service cannot write its data: ${reason}`);

export const invalid = (...errors: FieldError[]): ApiError =>
  new ApiError(422, 'Validation Failed', { errors });

export const asStorageRefusal = (error: unknown): ApiError | undefined =>
  isStorageError(error) ? outOfOrder(error.message) : undefined;
