// The names of Anthropic's models at cloud providers, which have no short names for models released with a date.
const dates: Record<string, string> = {
  'claude-opus-4-5': '20251101',
  'claude-haiku-4-5': '20251001',
  'claude-sonnet-4-5': '20250929',
  'claude-opus-4-1': '20250805',
  'claude-opus-4': '20250514',
  'claude-sonnet-4': '20250514',
}

/** Returns `claude-haiku-4-5` as `claude-haiku-4-5-20251001`; other names unchanged. */
export const toDatedClaude = (model: string): string =>
  Object.hasOwn(dates, model) ? `${model}-${dates[model]}` : model
