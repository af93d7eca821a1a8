interface Window {
  /** happy-dom's own handle on the window it makes. */
  happyDOM: { setViewport(viewport: { width: number; height: number }): void; setURL(url: string): void };
}
