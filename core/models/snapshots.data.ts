// Undated model names whose vendor has published several snapshots, or uses a different undated name.

/**
 * The snapshot that a plain name stands for: its date in digits, or empty where it moves without notice. A name that is
 * not here has had one snapshot only. The four small sound models are from OpenAI's changelog, read in November 2026; the
 * others as they are commonly known, to be checked against their vendors' lists.
 */
export const snapshots: ReadonlyMap<string, string> = new Map([
  ['claude-3-5-sonnet', '20241022'],
  ['gpt-4o', '20240806'],
  ['gpt-4o-audio-preview', '20250603'],
  ['gpt-4o-realtime-preview', '20250603'],
  ['gpt-4o-mini-transcribe', '20251215'],
  ['gpt-4o-mini-tts', '20251215'],
  ['gpt-audio-mini', '20251215'],
  ['gpt-realtime-mini', '20251215'],
  ['qwen-plus', ''],
  ['qwen-turbo', ''],
])

/** Vendors' own names for the only snapshot of a model, in addition to its plain one. */
export const plainNames: ReadonlyMap<string, string> = new Map([
  ['claude-opus-4-0', 'claude-opus-4'],
  ['claude-sonnet-4-0', 'claude-sonnet-4'],
  // Other gateways use this name.
  ['mj_uploads', 'mj_upload'],
])
