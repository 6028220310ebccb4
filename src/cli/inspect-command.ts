import type { Command } from 'commander';

export function addInspectCommand(_program: Command): void {}
