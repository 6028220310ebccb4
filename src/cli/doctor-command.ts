import type { Command } from 'commander';

export function addDoctorCommand(_program: Command): void {}
