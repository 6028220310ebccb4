import type { Command } from 'commander';

export function addDbCommand(_program: Command): void {}
