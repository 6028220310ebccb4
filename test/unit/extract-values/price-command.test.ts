/** `forager price read`, as scripts call it. */
import { describe, expect, it } from 'vitest';
import { runForager } from '../../support/run-cli.ts';

describe('price read', () => {
  it('prints amount and currency of each text', async () => {
    const run = await runForager([
      'price',
      'read',
      '1.299,00 €',
      'from $10 to $20',
      'Free',
      'ab 5 €',
      '80 kr',
    ]);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toBe('1299 EUR\n10 - 20 USD\n0 (free)\n5 EUR (from)\n80 kr\n');
  });

  it('takes what is known from elsewhere', async () => {
    const run = await runForager(['price', 'read', '--language', 'da', '--country', 'SE', '80 kr']);
    expect(run.stdout).toBe('80 SEK\n');
    const other = await runForager([
      'price',
      'read',
      '--currency',
      'NOK',
      '--decimal-separator',
      '.',
      '1.299',
    ]);
    expect(other.stdout).toBe('1.299 NOK\n');
  });

  it('says which text has no price, still reads the others, and exits 1', async () => {
    const run = await runForager(['price', 'read', 'sold out', '12 €']);
    expect(run).toMatchObject({
      code: 1,
      stdout: '12 EUR\n',
      stderr: 'forager: "sold out": no price in it\n',
    });
  });

  it('has one line for each line of standard input, null where it tells no price', async () => {
    const run = await runForager(['price', 'read', '--json', '-'], { input: '12,50 €\n\nnothing\r\n$5' });
    expect(run.code).toBe(0);
    expect(run.json()).toEqual([
      { amount: '12.5', currency: 'EUR', currencyText: '€' },
      null,
      null,
      { amount: '5', currency: 'USD', currencyText: '$' },
    ]);
    const plain = await runForager(['price', 'read', '-'], { input: '12,50 €\nnothing\n' });
    expect(plain).toMatchObject({ code: 0, stdout: '12.5 EUR\nno price\n' });
  });

  it('prints nothing that could steer a terminal', async () => {
    const run = await runForager(['price', 'read', '\u001b[31mred']);
    expect(run.code).toBe(1);
    expect(run.stderr).not.toContain('\u001b');
  });

  it('refuses a separator that is none', async () => {
    const run = await runForager(['price', 'read', '--decimal-separator', ';', '1']);
    expect(run.code).toBe(2);
  });
});
