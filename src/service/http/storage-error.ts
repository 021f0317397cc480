import { isStorageError } from '../store/database.ts';
import { outOfOrder, type ApiError } from './api-error.ts';

/** What the API says where the database cannot be written; undefined for any other error. */
export const asStorageRefusal = (error: unknown): ApiError | undefined =>
  isStorageError(error) ? outOfOrder(error.message) : undefined;
