// Texts of one-line fields as an editor shows them, and back.

/** Returns JSON on one line; any other text stays. */
export function toSingleLineJson(value: string): string {
  try {
    return JSON.stringify(JSON.parse(value))
  } catch {
    return value
  }
}

/** Lays out an object or a list of JSON; any other text stays. */
export function layOutJson(text: string): { text: string; isJson: boolean } {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return { text: JSON.stringify(value, null, 2), isJson: true }
  } catch {
    // Any other text is edited as it is.
  }
  return { text, isJson: false }
}

/** Returns an edited text for its field, without the line break that editors add at the end. */
export function toFieldText(edited: string): string {
  const { text, isJson } = layOutJson(edited)
  return isJson ? toSingleLineJson(text) : edited.replace(/\r?\n$/, '')
}
