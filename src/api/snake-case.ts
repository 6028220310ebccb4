/**
 * Fields that were named in snake_case, by the names of the contract. Where both spellings of a field are there the
 * other one stays as it is, and is refused as a field that nobody knows.
 */
const SNAKE = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/;

export function toCamelCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toCamelCase);
  if (typeof value !== 'object' || value === null) return value;
  const renamed: [string, unknown][] = Object.entries(value).map(([name, inner]) => {
    const other = SNAKE.test(name)
      ? name.replaceAll(/_([a-z0-9])/g, (_all, char: string) => char.toUpperCase())
      : name;
    return [Object.hasOwn(value, other) ? name : other, toCamelCase(inner)];
  });
  return Object.fromEntries(renamed);
}
