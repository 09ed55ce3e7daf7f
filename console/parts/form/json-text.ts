// JSON texts in forms.

/** The position of a syntax error, counted from 1 as in editors. */
export interface JsonFault {
  line: number
  column: number
}

/** Returns whether the text is blank or a JSON object. */
export function isJsonField(text: string): boolean {
  if (text.trim() === '') return true
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

/** Returns the JSON with one line per member; the text itself if it is invalid. */
export function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Returns whether two texts hold the same JSON. White space is ignored. */
export function isSameJson(one: string, other: string): boolean {
  try {
    return JSON.stringify(JSON.parse(one)) === JSON.stringify(JSON.parse(other))
  } catch {
    return one === other
  }
}

/** Returns the first syntax error; undefined if the text is valid JSON. */
export function findJsonFault(text: string): JsonFault | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return toJsonFault(text, faultAt(text, String(error)))
  }
}

/** Browsers report it as an offset, as line and column, or not at all; then the end of the text is assumed. */
function faultAt(text: string, message: string): number {
  const match = /position (\d+)/.exec(message)
  if (match) return Number(match[1])
  const place = /line (\d+) column (\d+)/.exec(message)
  if (!place) return text.trimEnd().length
  const lines = text.split('\n').slice(0, Number(place[1]) - 1)
  return lines.reduce((sum, line) => sum + line.length + 1, 0) + Number(place[2]) - 1
}

function toJsonFault(text: string, position: number): JsonFault {
  const lines = text.slice(0, position).split('\n')
  return { line: lines.length, column: lines.at(-1)!.length + 1 }
}
