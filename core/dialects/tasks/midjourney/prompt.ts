// What a prompt says of speed.

/** Midjourney takes a long dash for two short ones: telephones write it so. */
const MODE_WORD = /(^|\s+)(?:--|—)(?:fast|relax|turbo)(?=\s|$)/gi

/** The prompt without `--fast`, `--relax` and `--turbo`; what else it says stays as it was. */
export const withoutModes = (prompt: string): string => {
  const cleared = prompt.replace(MODE_WORD, '')
  return cleared === prompt ? prompt : cleared.trim()
}
