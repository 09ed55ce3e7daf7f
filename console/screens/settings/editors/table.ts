// JSON objects as stored setting texts.

/** Parses the entries; empty if the text is no object. */
export function parseJsonTable<V>(text: string): Record<string, V> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, V>) : {}
  } catch {
    return {}
  }
}

/** Formats a value the way settings are stored. */
export const formatJsonTable = (value: unknown): string => JSON.stringify(value, null, 2)
