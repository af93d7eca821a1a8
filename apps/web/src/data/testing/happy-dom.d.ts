interface Window {
  /** happy-dom's own control of its window. */
  happyDOM: { setViewport(viewport: { width: number; height: number }): void; setURL(url: string): void };
}
