// Describes a change of a setting line by line: the entries that differ for a table, else the whole text.

export interface DifferenceLine {
  /** The entry that differs; empty for the whole text. */
  at: string
  /** null if it did not exist before, or does not exist any more. */
  before: string | null
  after: string | null
}

/** Compares two JSON or plain texts. */
export function compareTexts(before: string, after: string): DifferenceLine[] {
  const [from, to] = [parseEntries(before), parseEntries(after)]
  if (!from || !to) return [{ at: '', before, after }]
  const names = [...new Set([...from.keys(), ...to.keys()])]
  return names
    .map((name) => ({ at: name, before: from.get(name) ?? null, after: to.get(name) ?? null }))
    .filter((line) => line.before !== line.after)
}

/** Returns the entries of a JSON object or array as texts; undefined if the text is neither. */
function parseEntries(text: string): Map<string, string> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return undefined
    return new Map(Object.entries(value).map(([name, entry]) => [getEntryName(value, name), formatEntry(entry)]))
  } catch {
    return undefined
  }
}

/** Array entries count from 1. */
const getEntryName = (value: object, name: string) => (Array.isArray(value) ? String(Number(name) + 1) : name)
const formatEntry = (entry: unknown) => (typeof entry === 'string' ? entry : JSON.stringify(entry))
