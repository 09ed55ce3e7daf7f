// Removes speed flags from a prompt.

/** Midjourney accepts an em dash for two hyphens, as telephones write it. */
const MODE_WORD = /(^|\s+)(?:--|—)(?:fast|relax|turbo)(?=\s|$)/gi

/** Removes `--fast`, `--relax` and `--turbo` from the prompt; the rest is unchanged. */
export const withoutModes = (prompt: string): string => {
  const cleared = prompt.replace(MODE_WORD, '')
  return cleared === prompt ? prompt : cleared.trim()
}
