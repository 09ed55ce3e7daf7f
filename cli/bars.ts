// Bars of characters: they say as much in monochrome and in any font of fixed width.

/** How far something is: `████░░░░  4 of 8` without its words. */
export function progressBar(done: number, total: number, places = 20): string {
  const full = total > 0 ? Math.min(places, Math.floor((done / total) * places)) : 0
  return '█'.repeat(full) + '░'.repeat(places - full)
}
