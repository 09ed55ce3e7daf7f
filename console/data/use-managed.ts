// The files that manage shown items.
import { apiClient } from './client.ts'
import { useEndpoint } from './use-endpoint.ts'

interface Managed {
  /** Names of the files. */
  file: string
  /** Fields that differ from the file. */
  drifted: string[]
}

/**
 * Returns the files that manage these sections and keys; null if none does, or if it is unknown.
 * @param things `section key`, as `channels openai`
 */
export function useManaged(things: readonly string[]): Managed | null {
  const isNeeded = things.length > 0
  const load = () => (isNeeded ? apiClient.state.managed() : Promise.resolve([]))
  const { data = [] } = useEndpoint(['state.managed', isNeeded], load)
  const own = data.filter(({ section, key }) => things.includes(`${section} ${key}`))
  if (own.length === 0) return null
  return {
    file: [...new Set(own.map(({ source }) => source))].join(', '),
    drifted: own.flatMap(({ key, drifted }) => drifted.map((field) => field || key)),
  }
}
