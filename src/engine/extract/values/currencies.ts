/** Currencies: the codes of ISO 4217 with their decimals. */
export function currencyCode(
  text: string,
  _hints: { language?: string; country?: string } = {},
): string | undefined {
  return /^[A-Z]{3}$/.test(text) ? text : undefined;
}
