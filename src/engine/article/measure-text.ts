import { INLINE_ELEMENTS, type PageElement, type PageNode, type PageTree } from './page-tree.ts';

/** How much of what kind of text an element holds, its living descendants included, in weighed characters. */
export interface TextMeasure {
  text: number;
  /** Text inside links. */
  link: number;
  /** Text in blocks that read like sentences. */
  prose: number;
  /** Text in blocks that read like menus, labels and teasers. */
  noise: number;
  /** Number of blocks counted as prose. */
  paragraphs: number;
  links: number;
}

export type TextMeasures = ReadonlyMap<PageElement, TextMeasure>;

const EMPTY: Readonly<TextMeasure> = { text: 0, link: 0, prose: 0, noise: 0, paragraphs: 0, links: 0 };

export function measureOf(measures: TextMeasures, element: PageElement): Readonly<TextMeasure> {
  return measures.get(element) ?? EMPTY;
}

export function linkDensity(measure: Readonly<TextMeasure>): number {
  return measure.text === 0 ? 0 : measure.link / measure.text;
}

/** Shortest block that counts as a paragraph on its length alone. */
const LONG_BLOCK = 80;
const SHORT_SENTENCE = 30;

/** One pass over the living tree cuts it into blocks, a second one adds their measures up to the root. */
export function measureText(tree: PageTree): TextMeasures {
  const measures = new Map<PageElement, TextMeasure>();
  measureBlocks(tree.root, measures);
  for (let index = tree.elements.length - 1; index > 0; index -= 1) {
    const element = tree.elements[index];
    if (element === undefined || element.removed || element.parent === undefined) continue;
    const own = measures.get(element);
    if (own === undefined) continue;
    const above = measures.get(element.parent);
    if (above === undefined) {
      measures.set(element.parent, { ...own });
      continue;
    }
    above.text += own.text;
    above.link += own.link;
    above.prose += own.prose;
    above.noise += own.noise;
    above.paragraphs += own.paragraphs;
    above.links += own.links;
  }
  return measures;
}

/** A run of inline content between two block boundaries. */
interface Block {
  text: number;
  link: number;
  links: number;
  isSentence: boolean;
}

interface ProseBlock {
  readonly owner: PageElement;
  readonly weight: number;
}

function measureBlocks(root: PageElement, measures: Map<PageElement, TextMeasure>): void {
  const prose: ProseBlock[] = [];
  const stack: Array<PageNode | (() => void)> = [root];
  const owners: PageElement[] = [];
  let linkDepth = 0;
  let block: Block = { text: 0, link: 0, links: 0, isSentence: false };
  const flush = () => {
    const owner = owners.at(-1);
    if (owner !== undefined && block.text > 0) {
      addBlock(measures, prose, owner, block);
      block = { text: 0, link: 0, links: 0, isSentence: false };
    }
    // A link around a whole card opens before any text: it is counted with the text that follows.
    else block = { text: 0, link: 0, links: block.links, isSentence: false };
  };
  const leaveBlock = () => {
    flush();
    owners.pop();
  };
  const leaveLink = () => {
    linkDepth -= 1;
  };
  while (stack.length > 0) {
    const node = stack.pop();
    if (node === undefined) break;
    if (typeof node === 'function') {
      node();
      continue;
    }
    if (node.type === 'text') {
      const weight = weighText(node.data);
      block.text += weight;
      if (linkDepth > 0) block.link += weight;
      else if (!block.isSentence) block.isSentence = SENTENCE_END.test(node.data);
      continue;
    }
    if (node.removed) continue;
    if (!INLINE_ELEMENTS.has(node.name)) {
      flush();
      owners.push(node);
      stack.push(leaveBlock);
    } else if (node.name === 'a' && node.attributes.href !== undefined) {
      linkDepth += 1;
      block.links += 1;
      stack.push(leaveLink);
    }
    for (let index = node.children.length - 1; index >= 0; index -= 1) {
      const child = node.children[index];
      if (child !== undefined) stack.push(child);
    }
  }
  addProse(measures, prose);
}

/**
 * A paragraph among paragraphs is worth its length; a lone short one (a teaser, a caption, a notice) only
 * part of it, the rest counts as noise.
 */
function addProse(measures: Map<PageElement, TextMeasure>, prose: readonly ProseBlock[]): void {
  const siblings = new Map<PageElement, number>();
  const cousins = new Map<PageElement, number>();
  for (const { owner } of prose) {
    const parent = owner.parent ?? owner;
    const grandparent = parent.parent ?? parent;
    siblings.set(parent, (siblings.get(parent) ?? 0) + 1);
    cousins.set(grandparent, (cousins.get(grandparent) ?? 0) + 1);
  }
  for (const { owner, weight } of prose) {
    const parent = owner.parent ?? owner;
    const near = siblings.get(parent) ?? 0;
    const far = cousins.get(parent.parent ?? parent) ?? 0;
    const worth = Math.min(1, 0.2 * near + 0.05 * far + weight / 500);
    const measure = measures.get(owner);
    if (measure === undefined) continue;
    measure.prose += weight * worth;
    measure.noise += weight * (1 - worth) * 0.4;
    measure.paragraphs += 1;
  }
}

const SENTENCE_END = /[.!?…:;][\s"'”’»)]|[.!?…]\s*$|[。！？；]|[؟।]/;
const HEADINGS = /^h[1-6]$/;

function addBlock(
  measures: Map<PageElement, TextMeasure>,
  prose: ProseBlock[],
  owner: PageElement,
  block: Block,
): void {
  let measure = measures.get(owner);
  if (measure === undefined) {
    measure = { ...EMPTY };
    measures.set(owner, measure);
  }
  measure.text += block.text;
  measure.link += block.link;
  measure.links += block.links;
  const density = block.link / block.text;
  if (HEADINGS.test(owner.name)) {
    if (density > 0.5) measure.noise += block.text * 0.5;
  } else if (owner.name === 'pre') {
    prose.push({ owner, weight: block.text * 0.7 });
  } else if (block.text >= LONG_BLOCK && density <= 0.4) {
    prose.push({ owner, weight: block.text - block.link * 0.5 });
  } else if (block.text >= SHORT_SENTENCE && density <= 0.25 && block.isSentence) {
    prose.push({ owner, weight: block.text * 0.7 });
  } else if (density > 0.5) {
    measure.noise += block.text;
  } else if (owner.name !== 'li' || density > 0.25) {
    measure.noise += block.text * 0.3;
  }
}

/**
 * Characters without runs of white space. One character of the scripts written without spaces says about as
 * much as two of an alphabet, so it counts twice; thresholds then hold for all languages.
 */
export function weighText(data: string): number {
  let weight = 0;
  let wasSpace = true;
  for (let index = 0; index < data.length; index += 1) {
    const code = data.charCodeAt(index);
    if (code <= 32 || code === 0xa0) {
      if (!wasSpace) weight += 1;
      wasSpace = true;
    } else {
      weight += code >= 0x2e80 && code <= 0xd7ff ? 2 : 1;
      wasSpace = false;
    }
  }
  return wasSpace && weight > 0 ? weight - 1 : weight;
}
