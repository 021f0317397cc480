import { createHash, randomBytes } from 'node:crypto';

export const newSecret = (prefix: string): string => `${prefix}_${randomBytes(20).toString('hex')}`;

export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');
