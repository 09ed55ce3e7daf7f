// What films cost where an operator says nothing: USD for a second, and what resolution and sound make of it (`size` and
// `quality` of an image multiplier), from the vendors' own price pages. A second is priced so that no factor is a fraction
// without an end.

export const filmPrices: Record<string, number> = {
  'sora-2': 0.1,
  'sora-2-pro': 0.1,
  'sandbox-film': 0.01,
}

export const filmMultipliers: Record<string, Record<string, number>> = {
  'sora-2-pro': { '720p': 3, '1024p': 5, '1080p': 7 },
}
