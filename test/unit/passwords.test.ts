import { describe, expect, test } from 'vitest';
import { generatePassword } from '../../src/control/access/generate-password.ts';
import { HashingQueue } from '../../src/control/access/hashing-queue.ts';
import { checkPassword } from '../../src/control/access/password-policy.ts';
import { hashPassword, verifyPassword } from '../../src/control/access/passwords.ts';

describe('hashes', () => {
  test('are argon2id with 19 MiB and two passes, and different each time', async () => {
    const [one, two] = await Promise.all([hashPassword('the same'), hashPassword('the same')]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(two);
    expect(await verifyPassword(one, 'the same')).toEqual({ isRight: true, isOutdated: false });
    expect(await verifyPassword(one, 'The same')).toMatchObject({ isRight: false });
  });

  test('what is no hash, and nobody’s hash, fits no password', async () => {
    for (const stored of [undefined, '', '-', '$argon2id$', 'plain']) {
      expect(await verifyPassword(stored, 'plain')).toEqual({ isRight: false, isOutdated: false });
      expect(await verifyPassword(stored, '')).toMatchObject({ isRight: false });
    }
  });

  test('the same letters typed in another way are the same password', async () => {
    const stored = await hashPassword('\u00fcber ﬁne');
    expect(await verifyPassword(stored, 'u\u0308ber fine')).toMatchObject({ isRight: true });
  });
});

describe('which passwords are refused', () => {
  test.each([
    ['nine char'],
    ['a'.repeat(201)],
    ['zzzzzzzzzzzz'],
    ['ababababababab'],
    ['abcabcabcabc'],
    ['1234567890'],
    ['0987654321'],
    ['abcdefghijkl'],
    ['qwertyuiop'],
    ['password123'],
    ['P@ssw0rd2024!'],
    ['PasswordPassword'],
    ['123456admin123456'],
    ['iloveyou!!!'],
    ['1q2w3e4r5t6y'],
    ['Forager12345'],
    ['xx-LUISE-1998-xx'],
    ['\u{1f600}'.repeat(12)],
  ])('%s', (password) => {
    expect(() => checkPassword(password, 'luise')).toThrow(
      expect.objectContaining({ code: 'weak-password' }),
    );
  });

  test.each([
    ['four pigeons on a wet roof'],
    ['correct horse battery'],
    ['9fK2-mmQz7'],
    ['пароль для улитки'],
    [`${'a'.repeat(100)}bcd${'e'.repeat(97)}`],
    ['password of my late aunt'],
  ])('and not: %s', (password) => {
    expect(() => checkPassword(password, 'luise')).not.toThrow();
  });

  test('a name of one or two letters may be in a password by chance', () => {
    expect(() => checkPassword('an umbrella in june', 'an')).not.toThrow();
  });
});

describe('generated passwords', () => {
  test('differ, are easy to read, and would be accepted', () => {
    const many = new Set(Array.from({ length: 500 }, generatePassword));
    expect(many.size).toBe(500);
    for (const password of many) {
      expect(password).toMatch(/^[2-9a-km-np-z]{5}(?:-[2-9a-km-np-z]{5}){3}$/);
      expect(() => checkPassword(password, 'luise')).not.toThrow();
    }
    expect(new Set([...many].join('').replaceAll('-', '')).size).toBe(32);
  });
});

describe('the queue of those who wait for a hash', () => {
  test('no more than two are worked on, those who wait come in order, and too many are refused', async () => {
    const queue = new HashingQueue(2, 3);
    const order: number[] = [];
    let running = 0;
    let most = 0;
    const gates: (() => void)[] = [];
    const ends = Array.from({ length: 6 }, (_, n) =>
      queue.run(async () => {
        running += 1;
        most = Math.max(most, running);
        order.push(n);
        await new Promise<void>((resolve) => gates.push(resolve));
        running -= 1;
      }),
    );
    await expect(ends[5]).rejects.toMatchObject({ code: 'overloaded' });
    for (let n = 0; n < 5; n += 1) {
      await expect.poll(() => gates.length).toBeGreaterThan(0);
      gates.shift()?.();
    }
    await Promise.all(ends.slice(0, 5));
    expect(order).toEqual([0, 1, 2, 3, 4]);
    expect(most).toBe(2);
    // The places are free again.
    await expect(queue.run(async () => 'done')).resolves.toBe('done');
  });

  test('work that fails gives its place back', async () => {
    const queue = new HashingQueue(1, 0);
    for (let n = 0; n < 3; n += 1) {
      await expect(queue.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    }
    await expect(queue.run(async () => 'done')).resolves.toBe('done');
  });
});
