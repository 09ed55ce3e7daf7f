// The types of one-hub's channels, by its numbers: ours, and the address that it had by default where ours has another.
export interface OneHubType {
  type: number
  base_url?: string
}

const openai = (base_url: string): OneHubType => ({ type: 1, base_url })

/** Types that are not named here are not served. */
export const ONE_HUB_TYPES: Readonly<Record<number, OneHubType>> = {
  1: { type: 1 },
  3: { type: 3 },
  8: { type: 1 },
  14: { type: 14 },
  15: { type: 15 },
  16: { type: 26 },
  17: { type: 17 },
  18: { type: 18 },
  19: { type: 19 },
  20: { type: 20 },
  23: { type: 23 },
  25: { type: 24 },
  26: openai('https://api.baichuan-ai.com'),
  27: { type: 35 },
  28: { type: 43 },
  29: { type: 25 },
  30: { type: 42 },
  31: { type: 1001 },
  32: { type: 33 },
  33: { type: 31 },
  34: { type: 2 },
  35: { type: 39 },
  36: { type: 34 },
  38: { type: 49 },
  39: { type: 4 },
  41: { type: 36 },
  42: { type: 41 },
  45: { type: 40 },
  47: { type: 38 },
}
