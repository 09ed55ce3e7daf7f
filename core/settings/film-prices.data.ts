// What films cost where an operator says nothing: USD for a second, and what resolution and sound make of it (`size` and
// `quality` of an image multiplier), from the vendors' own price pages. A second is priced so that no factor is a fraction
// without an end.
//
// Kling's are in units of 0.14, Runway's in credits of 0.01 and Vidu's in credits of 0.005, read in November 2026; those of Vidu's
// Q3 and of Wan 3.0 with those who resell them. What nobody could be read of has no price: it is refused.

export const filmPrices: Record<string, number> = {
  'gen4.5': 0.12,
  gen4_turbo: 0.05,
  'kling-v2-5-turbo': 0.07,
  'kling-v2-6': 0.07,
  'kling-v3': 0.112,
  'kling-v3-omni': 0.112,
  'kling-video-o1': 0.112,
  'sandbox-film': 0.01,
  'sora-2': 0.1,
  'sora-2-pro': 0.1,
  'veo3.1': 0.2,
  'veo3.1_fast': 0.1,
  viduq1: 0.08,
  viduq3: 0.1,
  'viduq3-mix': 0.125,
  'viduq3-pro': 0.16,
  'viduq3-turbo': 0.08,
  'wan2.5-i2v-preview': 0.1,
  'wan2.5-t2v-preview': 0.1,
  'wan2.6-i2v': 0.1,
  'wan2.6-t2v': 0.1,
  'wan2.7-i2v': 0.1,
  'wan2.7-r2v': 0.1,
  'wan2.7-t2v': 0.1,
  'wan3.0-video': 0.1,
}

export const filmMultipliers: Record<string, Record<string, number>> = {
  'kling-v2-5-turbo': { '720p': 0.6 },
  'kling-v2-6': { '720p': 0.6, sound: 2 },
  'kling-v3': { '720p': 0.75, sound: 1.5, 'sound:4k': 3.75, 'silent:4k': 3.75 },
  'kling-v3-omni': { '720p': 0.75, 'sound:720p': 1, sound: 1.25, 'sound:4k': 3.75, 'silent:4k': 3.75 },
  'kling-video-o1': { '720p': 0.75 },
  'sora-2-pro': { '720p': 3, '1024p': 5, '1080p': 7 },
  'veo3.1': { sound: 2 },
  'veo3.1_fast': { sound: 1.5 },
  viduq3: { '540p': 0.5, '1080p': 1.25 },
  'viduq3-mix': { '1080p': 1.2 },
  'viduq3-pro': { '540p': 0.4375, '720p': 0.9375 },
  'viduq3-turbo': { '540p': 0.5, '720p': 0.75 },
  'wan2.5*': { '480p': 0.5, '1080p': 1.5 },
  'wan2.6*': { '1080p': 1.5 },
  'wan2.7*': { '1080p': 1.5 },
  'wan3.0*': { '480p': 0.5, '1080p': 2 },
}
