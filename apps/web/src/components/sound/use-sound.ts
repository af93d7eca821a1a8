import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { ProblemError } from "../../data/problem-error.ts";
import { playAlone } from "./play-one-at-a-time.ts";

/** Audio that is fetched when it is first played: its address couldn't carry a token. */
export function useSound({ load, onPlay }: { load: () => Promise<Blob>; onPlay: (() => void) | undefined }) {
  const audio = useRef<HTMLAudioElement | null>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [seconds, setSeconds] = useState(0);

  const playing = useMutation({
    mutationFn: async () => {
      audio.current ??= await open();
      await playAlone(audio.current).catch(refuseUnlessStopped);
    },
    onSuccess: () => onPlay?.(),
  });

  async function open(): Promise<HTMLAudioElement> {
    const element = new Audio(URL.createObjectURL(await load()));
    element.addEventListener("timeupdate", () => setSeconds(element.currentTime));
    for (const event of ["play", "pause", "ended"]) element.addEventListener(event, () => setPlaying(!element.paused));
    // Where it was dragged to before it had loaded.
    element.currentTime = seconds;
    return element;
  }

  useEffect(
    () => () => {
      audio.current?.pause();
      if (audio.current) URL.revokeObjectURL(audio.current.src);
      audio.current = null;
    },
    [],
  );

  return {
    isPlaying,
    isLoading: playing.isPending,
    error: playing.error,
    seconds,
    toggle(): void {
      if (isPlaying) audio.current?.pause();
      else if (!playing.isPending) playing.mutate();
    },
    seek(to: number): void {
      setSeconds(to);
      if (audio.current) audio.current.currentTime = to;
    },
  };
}

/** Pausing before it could start isn't an error. */
function refuseUnlessStopped(error: unknown): void {
  const name = error instanceof Error ? error.name : "";
  if (name === "AbortError") return;
  const detail =
    name === "NotAllowedError"
      ? "Your browser blocked playback. Press play again."
      : "Your browser can’t play this audio.";
  throw new ProblemError({ code: "not-played", title: "Playback failed", detail, status: 0 });
}
