// JSON kept as text in a form.

/** Where the text stops being JSON, as editors count: from 1. */
export interface JsonFault {
  line: number
  column: number
}

/** Blank or a JSON object. */
export function isJsonField(text: string): boolean {
  if (text.trim() === '') return true
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

/** The same JSON, a line for each of its members; the text itself where it is none. */
export function formattedJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Do two texts hold the same JSON? White space is none of it. */
export function isSameJson(one: string, other: string): boolean {
  try {
    return JSON.stringify(JSON.parse(one)) === JSON.stringify(JSON.parse(other))
  } catch {
    return one === other
  }
}

/** Undefined where the text is JSON. */
export function jsonFault(text: string): JsonFault | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return placeOf(text, faultAt(text, String(error)))
  }
}

/** Browsers say it as a position, as line and column, or not at all: then it is the end. */
function faultAt(text: string, message: string): number {
  const said = /position (\d+)/.exec(message)
  if (said) return Number(said[1])
  const place = /line (\d+) column (\d+)/.exec(message)
  if (!place) return text.trimEnd().length
  const lines = text.split('\n').slice(0, Number(place[1]) - 1)
  return lines.reduce((sum, line) => sum + line.length + 1, 0) + Number(place[2]) - 1
}

function placeOf(text: string, position: number): JsonFault {
  const lines = text.slice(0, position).split('\n')
  return { line: lines.length, column: lines.at(-1)!.length + 1 }
}
