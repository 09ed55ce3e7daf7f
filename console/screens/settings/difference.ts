// What a change of a setting does, line by line: of a table the entries that differ, of anything else the whole text.

export interface Line {
  /** The entry that differs; empty for the whole. */
  at: string
  /** Null where there was none, or is none any more. */
  before: string | null
  after: string | null
}

/** What differs between two JSON texts or plain ones. */
export function linesOf(before: string, after: string): Line[] {
  const [from, to] = [tableIn(before), tableIn(after)]
  if (!from || !to) return [{ at: '', before, after }]
  const names = [...new Set([...from.keys(), ...to.keys()])]
  return names
    .map((name) => ({ at: name, before: from.get(name) ?? null, after: to.get(name) ?? null }))
    .filter((line) => line.before !== line.after)
}

/** The entries of a JSON object or list as texts; undefined where the text is none. */
function tableIn(text: string): Map<string, string> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return undefined
    return new Map(Object.entries(value).map(([name, entry]) => [nameIn(value, name), textOf(entry)]))
  } catch {
    return undefined
  }
}

/** Lists count from 1. */
const nameIn = (value: object, name: string) => (Array.isArray(value) ? String(Number(name) + 1) : name)
const textOf = (entry: unknown) => (typeof entry === 'string' ? entry : JSON.stringify(entry))
