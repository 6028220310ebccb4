/** Passwords that the program thinks of: 100 random bits that can be read out, typed and not mistaken. */
import { randomBytes } from 'node:crypto';

/** 32 characters, five bits each; none that looks like another. */
const ALPHABET = '23456789abcdefghijkmnpqrstuvwxyz';
const GROUPS = 4;
const GROUP_LENGTH = 5;

/** Printed or shown once, so it should not lie about for long. */
export const GENERATED_PASSWORD_SECONDS = 24 * 60 * 60;

export function generatePassword(): string {
  const characters = [...randomBytes(GROUPS * GROUP_LENGTH)].map((byte) => ALPHABET[byte % 32]);
  const groups = Array.from({ length: GROUPS }, (_, group) =>
    characters.slice(group * GROUP_LENGTH, (group + 1) * GROUP_LENGTH).join(''),
  );
  return groups.join('-');
}
