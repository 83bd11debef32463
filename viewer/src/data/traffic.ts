import { Reader, Words, Floats } from './bytes';

/** Words that cross between processors after each superstep, ascending by superstep: parallel arrays. */
export interface Traffic {
  readonly step: Uint32Array;
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly words: Float64Array;
}

/** Reads the traffic. */
export function decodeTraffic(bytes: Uint8Array, processors: number): Traffic {
  const input = new Reader(bytes);
  const [step, from, to, words] = [new Words(), new Words(), new Words(), new Floats()];
  let at = 0;
  for (let left = input.length(); left > 0; left--) {
    at += input.unsigned();
    step.push(at);
    from.push(input.below(processors, 'a sender'));
    to.push(input.below(processors, 'a receiver'));
    words.push(input.unsigned());
  }
  if (!input.isDone) throw new Error('the traffic has bytes behind its end');
  return { step: step.finish(), from: from.finish(), to: to.finish(), words: words.finish() };
}

/** Sums the words of each pair of processors, `[from * processors + to]`, after one superstep or after all. */
export function matrixOf(traffic: Traffic, processors: number, step: number | undefined): Float64Array {
  const matrix = new Float64Array(processors * processors);
  let at = 0;
  if (step !== undefined) {
    let high = traffic.step.length;
    while (at < high) {
      const middle = (at + high) >> 1;
      if (traffic.step[middle]! < step) at = middle + 1;
      else high = middle;
    }
  }
  for (; at < traffic.step.length && (step === undefined || traffic.step[at] === step); at++) {
    matrix[traffic.from[at]! * processors + traffic.to[at]!]! += traffic.words[at]!;
  }
  return matrix;
}
