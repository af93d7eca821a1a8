export type CallQuality = "excellent" | "good" | "fair" | "poor";

export interface SoundFigures {
  /** Null until the far side has reported it. */
  roundTripMs: number | null;
  jitterMs: number;
  /** 0 to 1, of the packets expected since the last reading. */
  lossRatio: number;
}

/** The thresholds at which Twilio's own client warns ("Voice Insights: call metrics"). */
const warnAt = { roundTripMs: 400, jitterMs: 30, lossRatio: 0.03, meanOpinionScore: 3.5 };

/** ITU-T G.107 with G.711's default factors, simplified: delay beyond 160 ms costs more, 1 % of loss costs 2.5. */
export function meanOpinionScore(figures: SoundFigures): number {
  const delayMs = (figures.roundTripMs ?? 0) / 2 + figures.jitterMs * 2 + 10;
  const afterDelay = delayMs < 160 ? 93.2 - delayMs / 40 : 93.2 - 4 - (delayMs - 160) / 10;
  const rating = Math.min(100, Math.max(0, afterDelay - figures.lossRatio * 100 * 2.5));
  return 1 + 0.035 * rating + 0.000_007 * rating * (rating - 60) * (100 - rating);
}

/** Above 4 is excellent and above 3 good, as usual, unless a warning threshold is exceeded. */
export function rateQuality(figures: SoundFigures): CallQuality {
  const score = meanOpinionScore(figures);
  const warnings = [
    (figures.roundTripMs ?? 0) > warnAt.roundTripMs,
    figures.jitterMs > warnAt.jitterMs,
    figures.lossRatio > warnAt.lossRatio,
  ].filter(Boolean).length;
  if (score < 3 || warnings > 1) return "poor";
  if (score < warnAt.meanOpinionScore || warnings === 1) return "fair";
  return score > 4 ? "excellent" : "good";
}

export const qualityLabels: Record<CallQuality, string> = {
  excellent: "Excellent",
  good: "Good",
  fair: "Fair",
  poor: "Poor",
};
export const qualityBars: Record<CallQuality, 1 | 2 | 3 | 4> = { excellent: 4, good: 3, fair: 2, poor: 1 };
