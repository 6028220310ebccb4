import { type ContentBlock, textOfBlock } from './content-block.ts';

/** Plain text: blocks apart by a blank line, items of one list on neighbouring lines. */
export function renderText(blocks: readonly ContentBlock[]): string {
  let text = '';
  let previous: ContentBlock | undefined;
  for (const block of blocks) {
    if (block.kind === 'caption') continue;
    const own = textOfBlock(block).trim();
    if (own === '') continue;
    const line = block.marker === undefined ? own : `- ${own}`;
    if (previous === undefined) text = line;
    else text += `${isSameList(previous, block) ? '\n' : '\n\n'}${line}`;
    previous = block;
  }
  return text;
}

function isSameList(previous: ContentBlock, block: ContentBlock): boolean {
  return previous.listDepth > 0 && block.listDepth > 0 && block.marker !== undefined;
}
