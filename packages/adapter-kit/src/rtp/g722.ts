/**
 * ITU-T G.722 at 64 kbit/s: 16,000 samples a second, split into two ADPCM bands, one byte per two samples. Tables and
 * blocks have the recommendation's names. Without the split (narrow), only the lower band is used, at 8,000 samples a
 * second.
 */

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));
const saturated = (value: number): number => clamp(value, -32_768, 32_767);
/** The common sign of two values; 0 counts as positive. */
const sameSign = (one: number, other: number): boolean => one < 0 === other < 0;

/** Q6: the lower limit of each interval of the lower band's 6 bits. */
const levels6 = [
  0, 35, 72, 110, 150, 190, 233, 276, 323, 370, 422, 473, 530, 587, 650, 714, 786, 858, 940, 1_023, 1_121, 1_219, 1_339,
  1_458, 1_612, 1_765, 1_980, 2_195, 2_557, 2_919,
];
/** QQ6: the value of each interval, innermost first. */
const outputs6 = [
  136, 432, 728, 1_040, 1_360, 1_688, 2_032, 2_400, 2_776, 3_168, 3_576, 4_008, 4_464, 4_944, 5_456, 6_000, 6_576,
  7_192, 7_856, 8_576, 9_360, 10_232, 11_192, 12_280, 13_512, 14_984, 16_704, 19_008, 21_904, 24_808,
];
/** QQ4, for its upper 4 bits, to which both sides adapt. */
const outputs4 = [0, 1_200, 2_584, 4_240, 6_288, 8_968, 12_896, 20_456];
/** QQ2, for the upper band's 2 bits. */
const outputs2 = [1_616, 7_408];
const boundary2 = 564;
/** WL and WH: how the logarithm of the step changes. */
const growth4 = [-60, -30, 58, 172, 334, 538, 1_198, 3_042];
const growth2 = [-214, 798];
/** ILB. */
const antilogarithms = Array.from({ length: 32 }, (_, i) => Math.round(2_048 * 2 ** (i / 32)));
/** H: half of the symmetrical quadrature mirror filter. */
const mirrorFilter = [3, -11, 12, 32, -210, 951, 3_876, -805, 362, -156, 53, -11];

const at = (table: ArrayLike<number>, i: number): number => table[i] ?? 0;

interface BandOptions {
  firstStep: number;
  growth: readonly number[];
  maxLogarithm: number;
  /** By how much the step is below its logarithm's integer part. */
  shift: number;
}
const lowerBand: BandOptions = { firstStep: 32, growth: growth4, maxLogarithm: 18_432, shift: 8 };
const upperBand: BandOptions = { firstStep: 8, growth: growth2, maxLogarithm: 22_528, shift: 10 };

/** What both sides know about a band: the step of its quantiser, and the next predicted sample. */
class Band {
  step: number;
  predicted = 0;
  readonly #options: BandOptions;
  #logarithm = 0;
  #zeros = 0;
  /** AL, BL, DLT, PLT and RLT: newest first. */
  readonly #poles = new Int32Array(2);
  readonly #weights = new Int32Array(6);
  readonly #differences = new Int32Array(6);
  readonly #partial = new Int32Array(2);
  readonly #rebuilt = new Int32Array(2);

  constructor(options: BandOptions) {
    this.#options = options;
    this.step = options.firstStep;
  }

  /** Advances by one sample, which was quantised to this difference in this interval. */
  adapt(difference: number, interval: number): void {
    this.#adaptStep(interval);
    const rebuilt = saturated(this.predicted + difference);
    const partial = saturated(this.#zeros + difference);
    this.#adaptPoles(partial);
    this.#adaptZeros(difference);
    putFirst(this.#rebuilt, rebuilt);
    putFirst(this.#partial, partial);
    this.#zeros = sumOfProducts(this.#weights, this.#differences);
    this.predicted = saturated(sumOfProducts(this.#poles, this.#rebuilt) + this.#zeros);
  }

  /** LOGSCL and SCALEL, LOGSCH and SCALEH. */
  #adaptStep(interval: number): void {
    const { growth, maxLogarithm, shift } = this.#options;
    this.#logarithm = clamp(((this.#logarithm * 127) >> 7) + at(growth, interval), 0, maxLogarithm);
    const fraction = at(antilogarithms, (this.#logarithm >> 6) & 31);
    const down = shift - (this.#logarithm >> 11);
    this.step = (down < 0 ? fraction << -down : fraction >> down) << 2;
  }

  /** UPPOL1 and UPPOL2. */
  #adaptPoles(partial: number): void {
    const [first, second] = [at(this.#poles, 0), at(this.#poles, 1)];
    const isLikeLast = sameSign(partial, at(this.#partial, 0));
    const isLikeBefore = sameSign(partial, at(this.#partial, 1));
    const lean = saturated(first * 4);
    const leant = Math.min(isLikeLast ? -lean : lean, 32_767) >> 7;
    const nextSecond = clamp(leant + (isLikeBefore ? 128 : -128) + ((second * 32_512) >> 15), -12_288, 12_288);
    const most = saturated(15_360 - nextSecond);
    this.#poles[0] = clamp(saturated((isLikeLast ? 192 : -192) + ((first * 32_640) >> 15)), -most, most);
    this.#poles[1] = nextSecond;
  }

  /** UPZERO. */
  #adaptZeros(difference: number): void {
    const gain = difference === 0 ? 0 : 128;
    for (let i = 0; i < 6; i++) {
      const towards = sameSign(difference, at(this.#differences, i)) ? gain : -gain;
      this.#weights[i] = saturated(towards + ((at(this.#weights, i) * 32_640) >> 15));
    }
    putFirst(this.#differences, difference);
  }
}

function putFirst(values: Int32Array, value: number): void {
  values.copyWithin(1, 0);
  values[0] = value;
}

/** FILTEP and FILTEZ. */
function sumOfProducts(factors: Int32Array, values: Int32Array): number {
  let sum = 0;
  for (let i = 0; i < factors.length; i++) sum += (at(factors, i) * saturated(at(values, i) * 2)) >> 15;
  return saturated(sum);
}

/** Scales by the step, which is the unit of all tables. */
const ofStep = (share: number, step: number): number => (share * step) >> 15;

/** The interval of the lower band's upper 4 bits, and its sign. */
const interval4 = (code: number): number => (code < 8 ? 8 - (code || 8) : 15 - code);
const output4 = (code: number): number => (code < 8 ? -1 : 1) * at(outputs4, interval4(code));
const interval6 = (code: number): number => (code > 61 ? 64 - code : code > 31 ? 62 - code : code > 3 ? 34 - code : 1);
const output6 = (code: number): number => (code > 31 && code < 62 ? 1 : -1) * at(outputs6, interval6(code) - 1);
/** 1 is the inner interval, for both signs. */
const interval2 = (code: number): number => (code & 1 ? 0 : 1);
const output2 = (code: number): number => (code < 2 ? -1 : 1) * at(outputs2, interval2(code));

function goOn(lower: Band, upper: Band, code: number): void {
  const low = (code & 0x3f) >> 2;
  const high = code >> 6;
  lower.adapt(ofStep(output4(low), lower.step), interval4(low));
  upper.adapt(ofStep(output2(high), upper.step), interval2(high));
}

/** One stream's encoder; it is stateful. */
export function createG722Encoder() {
  const lower = new Band(lowerBand);
  const upper = new Band(upperBand);
  const past = new Int32Array(24);

  /** QUANTL and QUANTH of one sample of each band. */
  function write(low: number, high: number): number {
    const lowError = saturated(low - lower.predicted);
    const lowSize = lowError < 0 ? ~lowError : lowError;
    let interval = 1;
    while (interval < 30 && lowSize >= (at(levels6, interval) * lower.step) >> 12) interval++;
    const lowCode = lowError >= 0 ? 62 - interval : interval < 3 ? 64 - interval : 34 - interval;
    const highError = saturated(high - upper.predicted);
    const isInner = (highError < 0 ? ~highError : highError) < (boundary2 * upper.step) >> 12;
    const code = ((highError < 0 ? 0 : 2) + (isInner ? 1 : 0)) * 64 + lowCode;
    goOn(lower, upper, code);
    return code;
  }

  return {
    /** Both bands as output by the filter, 15 bits each. */
    write,
    /** At 16 kHz. */
    encode(samples: ArrayLike<number>): Buffer {
      const coded = Buffer.alloc(samples.length >> 1);
      for (let i = 0; i < coded.length; i++) {
        past.copyWithin(0, 2);
        past[22] = at(samples, 2 * i);
        past[23] = at(samples, 2 * i + 1);
        const [even, odd] = filtered(past);
        coded[i] = write((even + odd) >> 14, (even - odd) >> 14);
      }
      return coded;
    },
    /** At 8 kHz: the upper band is silent. */
    encodeNarrow: (samples: ArrayLike<number>): Buffer =>
      Buffer.from(Array.from(samples, (sample) => write(sample >> 1, 0))),
  };
}

export function createG722Decoder() {
  const lower = new Band(lowerBand);
  const upper = new Band(upperBand);
  const past = new Int32Array(24);

  /** Both bands of one code, 15 bits each. */
  function read(code: number): { low: number; high: number } {
    const low = lower.predicted + ofStep(output6(code & 0x3f), lower.step);
    const high = upper.predicted + ofStep(output2(code >> 6), upper.step);
    goOn(lower, upper, code);
    return { low: clamp(low, -16_384, 16_383), high: clamp(high, -16_384, 16_383) };
  }

  return {
    read,
    /** At 16 kHz. */
    decode(coded: Buffer): Int16Array {
      const samples = new Int16Array(coded.length * 2);
      for (let i = 0; i < coded.length; i++) {
        const { low, high } = read(at(coded, i));
        past.copyWithin(0, 2);
        past[22] = low + high;
        past[23] = low - high;
        const [even, odd] = filtered(past);
        samples[2 * i] = saturated(even >> 11);
        samples[2 * i + 1] = saturated(odd >> 11);
      }
      return samples;
    },
    /** At 8 kHz: the lower band only. */
    decodeNarrow: (coded: Buffer): Int16Array => Int16Array.from(coded, (code) => read(code).low * 2),
  };
}

/** The two phases of the filter over the last 24 samples. */
function filtered(past: Int32Array): [even: number, odd: number] {
  let even = 0;
  let odd = 0;
  for (let i = 0; i < 12; i++) {
    even += at(past, 2 * i + 1) * at(mirrorFilter, 11 - i);
    odd += at(past, 2 * i) * at(mirrorFilter, i);
  }
  return [even, odd];
}
