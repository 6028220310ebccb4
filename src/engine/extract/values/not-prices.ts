/** Numbers that are written like no price: dates, times of day, telephone numbers, addresses. */
const PATTERNS = [
  // 2024-05-06, 06/05/2024, 6.5.24
  String.raw`(?<![\d.,])\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?!\d)`,
  String.raw`(?<![\d.,])\d{1,2}([-/.])\d{1,2}\1(?:\d{4}|\d{2})(?![\d])`,
  // 25-09
  String.raw`(?<![\d.,])\d{1,2}-0\d(?![\d.,])`,
  // 12:30, 12:30:59
  String.raw`(?<!\d)[0-2]?\d:[0-5]\d(?::[0-5]\d)?(?!\d)`,
  // +49 30 1234567, (555) 123-4567, 555-123-4567
  String.raw`\+\d[\d ()/-]{7,20}\d`,
  String.raw`\(\d{3,5}\) ?\d{3,4}[- ]\d{3,5}`,
  String.raw`(?<!\d)\d{3}-\d{3,4}-\d{4}(?!\d)`,
  // 0800 123 456
  String.raw`(?<![\d.,]|\d )0\d{2,5}[ /-]\d{3,8}(?:[ -]\d{2,8}){0,3}(?!\d)`,
  // 192.168.0.1, 1.2.3.4
  String.raw`(?<![\d.])\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?![\d.])`,
];
export const PHONES_AND_DATES = new RegExp(PATTERNS.join('|'), 'g');
