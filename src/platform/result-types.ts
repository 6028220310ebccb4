import pg from 'pg';

const int8 = 20;
const date = 1082;

/**
 * How values come back. int8 as a number: ids and counts stay below 2^53. A value beyond that comes as bigint,
 * so a column of 64-bit patterns is to be selected as text or bytes. A date stays text: it has no time zone.
 */
export const resultTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text' | 'binary' = 'text') => {
    if (format === 'text' && oid === int8) return parseInt8;
    if (format === 'text' && oid === date) return (text: string) => text;
    return pg.types.getTypeParser(oid, format);
  }) as pg.CustomTypesConfig['getTypeParser'],
};

function parseInt8(text: string): number | bigint {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
}
