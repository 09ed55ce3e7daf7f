// Removes the names of an erased user from texts of other users.

/** Followed by a number, it is a name that no one can register: usernames contain no @. */
export const NAME_BEFORE_NUMBER = 'forgotten@'
export const buildForgottenName = (id: number): string => `${NAME_BEFORE_NUMBER}${id}`

/** Members of JSON that contain names of users. */
const NAMING = new Set(['username', 'display_name', 'email', 'user'])

/**
 * Replaces a user's names in JSON: the given names, or with 'any' every value of a naming member, if the text is only
 * about that user.
 * @returns the same text if it does not name the user, or is not JSON
 */
export function removeUserNames(json: string, names: ReadonlySet<string> | 'any', instead: string): string {
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
