// Names of somebody who is to be forgotten, in texts that others left.

/** Before a number it makes a name that nobody can sign up with: an @ is no character of one. */
export const BEFORE_NUMBER = 'forgotten@'
export const nameOfForgotten = (id: number): string => `${BEFORE_NUMBER}${id}`

/** Members of JSON that name people. */
const NAMING = new Set(['username', 'display_name', 'email', 'user'])

/**
 * JSON in which somebody is named otherwise: by these names, or by whatever stands where people are named, where it is about
 * them alone.
 * @returns the same text where they are not named, or it is no JSON
 */
export function withoutNames(json: string, names: ReadonlySet<string> | 'any', instead: string): string {
  const isTheirs = (key: string, value: unknown) =>
    NAMING.has(key) && typeof value === 'string' && value !== '' && (names === 'any' || names.has(value))
  try {
    let replaced = false
    const parsed: unknown = JSON.parse(json, (key, value: unknown) => {
      if (!isTheirs(key, value)) return value
      replaced = true
      return instead
    })
    return replaced ? JSON.stringify(parsed) : json
  } catch {
    return json
  }
}
