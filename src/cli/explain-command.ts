import type { Command } from 'commander';

export function addExplainCommand(_program: Command): void {}
