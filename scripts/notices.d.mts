import type { Plugin } from 'vite';

export function noteLicences(bundle: string): Plugin[];
export function packagesOf(paths: readonly string[]): string[];
export function readNotes(output: string): {
  packages: string[];
  licences: Map<string, { name: string; version: string; license: string; text?: string | null }>;
};
export function toNotices(output: string): string;
