/**
 * What was given as an argument comes back in messages: commander repeats what it cannot read, and so do others. A
 * proxy in the wrong place, with its password, is not repeated whole.
 */
import { hideUserinfo } from '../platform/redact-url.ts';

const WITH_PASSWORD = /^(?:.*?:\/\/)?[^@]*:.*@/s;
/** `host:port:user:password` */
const SELLER_FORM = /^([^:@[\]/\s]*\.[^:@[\]/\s]*:\d{1,5}:[^:]*):.+$/s;

export function hideArguments(message: string, args: readonly string[]): string {
  let text = message;
  for (const arg of args) {
    const hidden = hide(arg);
    if (hidden !== arg) text = text.replaceAll(arg, () => hidden);
  }
  return text;
}

function hide(arg: string): string {
  const [, option = '', value = arg] = /^(--[^=]+=)(.*)$/s.exec(arg) ?? [];
  const hidden = WITH_PASSWORD.test(value) ? hideUserinfo(value) : value.replace(SELLER_FORM, '$1:***');
  return option + hidden;
}
