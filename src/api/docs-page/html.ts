/** HTML in which every value is text: markup comes from templates only. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | number | boolean | Markup | undefined | readonly Value[];

export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  let text = parts[0] ?? '';
  for (const [index, value] of values.entries()) text += toText(value) + (parts[index + 1] ?? '');
  return new Markup(text);
}

function toText(value: Value): string {
  if (value === undefined) return '';
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return value.map(toText).join('');
  return escapeHtml(String(value));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** Sentences of the contract: what stands between backticks is code. */
export function prose(text: string): Markup[] {
  return text.split(/(`[^`]+`)/).map((part) => {
    const code = /^`([^`]+)`$/.exec(part)?.[1];
    return code === undefined ? html`${part}` : html`<code>${code}</code>`;
  });
}
