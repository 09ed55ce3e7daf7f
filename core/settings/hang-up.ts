// What becomes of an answer whose caller leaves: the word of the setting, and of a channel in its place.

export const HANG_UPS = ['auto', 'finish', 'abort'] as const
