/** Reads varints: 7 bits a byte, lowest first. */
export class Reader {
  constructor(
    private readonly bytes: Uint8Array,
    private at = 0,
  ) {}

  /** Returns whether all bytes are read. */
  get isDone(): boolean {
    return this.at >= this.bytes.length;
  }

  /** Returns how many bytes are left. */
  get left(): number {
    return this.bytes.length - this.at;
  }

  /** Reads a number that is not negative; beyond 2^53 its last bits are lost. */
  unsigned(): number {
    const { bytes } = this;
    let byte = bytes[this.at++];
    if (byte === undefined) throw new Error('the data end too early');
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    let scale = 128;
    for (let digits = 1; digits < 10; digits++) {
      byte = bytes[this.at++];
      if (byte === undefined) throw new Error('the data end too early');
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
    throw new Error('a number of more than 70 bits');
  }

  /** Reads a zigzag-coded number. */
  signed(): number {
    const lowest = (this.bytes[this.at] ?? 0) & 1;
    const half = Math.floor(this.unsigned() / 2);
    return lowest === 1 ? -half - 1 : half;
  }

  /** Reads a value of code: a run of zeros (`zeros` > 0), or one value in `value`. */
  valueOrZeros(into: { value: number; zeros: number }): void {
    const first = this.bytes[this.at] ?? 0;
    const half = Math.floor(this.unsigned() / 2);
    if ((first & 1) === 1) {
      into.zeros = half;
      return;
    }
    into.zeros = 0;
    const rest = Math.floor(half / 2);
    into.value = (first & 2) === 2 ? -rest - 1 : rest;
  }

  /** Reads a number below `bound`; `what` names it in the error. */
  below(bound: number, what: string): number {
    const value = this.unsigned();
    if (value >= bound) throw new Error(`${what} is out of range`);
    return value;
  }

  /** Reads the length of a list whose items take a byte each at least. */
  length(): number {
    const length = this.unsigned();
    if (length > this.left) throw new Error('the data end too early');
    return length;
  }

  /** Steps over the bytes of `magic`. */
  magic(magic: readonly number[], what: string): void {
    for (const byte of magic) {
      if (this.bytes[this.at++] !== byte) throw new Error(`this is no ${what} of a version that this page can read`);
    }
  }
}

/** Numbers of 64 bits that grow at the end. */
export class Floats {
  private items = new Float64Array(1024);
  length = 0;

  push(value: number): void {
    this.room(1);
    this.items[this.length++] = value;
  }

  /** Appends so many zeros. */
  zeros(count: number): void {
    this.room(count);
    this.length += count;
  }

  finish(): Float64Array {
    return this.items.subarray(0, this.length);
  }

  private room(count: number): void {
    if (this.length + count <= this.items.length) return;
    const items = new Float64Array(Math.max(2 * this.items.length, this.length + count));
    items.set(this.items);
    this.items = items;
  }
}

/** Numbers of 32 bits without sign that grow at the end. */
export class Words {
  private items = new Uint32Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.items.length) {
      const items = new Uint32Array(2 * this.items.length);
      items.set(this.items);
      this.items = items;
    }
    this.items[this.length++] = value;
  }

  get(at: number): number {
    return this.items[at]!;
  }

  set(at: number, value: number): void {
    this.items[at] = value;
  }

  finish(): Uint32Array {
    return this.items.subarray(0, this.length);
  }
}
