import { CictlError } from '../errors.ts';

/** Another service has the data folder: it may be found and used in place of a new one. */
export class FolderInUseError extends CictlError {
  constructor(dataDir: string, cause: unknown) {
    super('machine', `cannot use ${dataDir}: another service holds it`, {
      // For whoever gets to see it, that service has not responded.
      hint: 'cictl local down',
      cause,
    });
  }
}
