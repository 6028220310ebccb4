/** Which passwords are refused: those that whoever guesses tries first. Length counts, the kinds of characters do not. */
import { ForagerError } from '../../platform/errors.ts';
import { normalizePassword } from './passwords.ts';

const SHORTEST = 10;
const LONGEST = 200;
const FEWEST_DIFFERENT = 4;
/** A shorter name is in many a good password by chance. */
const SHORTEST_NAME = 3;

/** Words that stay guessable with digits and signs around them. */
const COMMON_WORDS = new Set(
  (
    'password passwort motdepasse contrasena senha parola wachtwoord passphrase passw pass admin administrator root ' +
    'user welcome willkommen bienvenue letmein login hello master secret geheim dragon monkey sunshine princess ' +
    'football baseball superman batman iloveyou trustno shadow michael changeme default test testing guest forager ' +
    'crawler qwerty qwertz azerty asdf asdfgh zxcvbn qwertyuiop asdfghjkl zxcvbnm qazwsx qazwsxedc abc abcd abcdef'
  ).split(' '),
);

/** What is typed by running a finger over the keys or through the alphabet. */
const RUNS = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1q2w3e4r5t6y7u8i9o0p',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
];

/** Throws for a password that is too easy to guess, with a sentence that says why. */
export function checkPassword(given: string, username: string): void {
  const password = normalizePassword(given);
  const characters = [...password];
  if (characters.length < SHORTEST) {
    throw weak(`The password has ${characters.length} characters; it needs at least ${SHORTEST}.`);
  }
  if (characters.length > LONGEST) {
    throw weak(`The password has ${characters.length} characters; it may have at most ${LONGEST}.`);
  }
  const small = password.toLowerCase();
  if (username.length >= SHORTEST_NAME && small.includes(username.toLowerCase())) {
    throw weak('The password contains the name of the account.');
  }
  if (new Set(small).size < FEWEST_DIFFERENT) {
    throw weak('The password is made of very few different characters.');
  }
  if (isCommon(small)) throw weak('The password is one of those that are tried first.');
}

function isCommon(small: string): boolean {
  const unit = repeatedUnit(small);
  const plain = undisguise(unit);
  return isRun(unit) || unit.length < 5 || COMMON_WORDS.has(plain) || COMMON_WORDS.has(repeatedUnit(plain));
}

/** `passwordpassword` is `password`. */
function repeatedUnit(text: string): string {
  const length = (text + text).indexOf(text, 1);
  return text.slice(0, length);
}

/** `p@ssw0rd123!` is `password`. */
function undisguise(text: string): string {
  return text
    .replace(/[^a-z]+$/, '')
    .replace(/^[^a-z@$]+/, '')
    .replace(/[@04]/g, (sign) => (sign === '0' ? 'o' : 'a'))
    .replace(/[$5]/g, 's')
    .replace(/[1!]/g, 'i')
    .replace(/3/g, 'e')
    .replace(/[^a-z]/g, '');
}

function isRun(text: string): boolean {
  const backwards = [...text].reverse().join('');
  return RUNS.some((run) => run.includes(text) || run.includes(backwards));
}

function weak(sentence: string): ForagerError {
  return new ForagerError('weak-password', sentence, {
    hint: 'several words that have nothing to do with each other make a good password',
  });
}
