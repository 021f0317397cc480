import type { Plugin } from 'rolldown';

export declare const rawTexts: Plugin;
