/** The response of a service cannot be used: a redirect elsewhere, an endless body, HTML. */
export class InvalidResponseError extends Error {
  override readonly name = 'InvalidResponseError';
}
