// The findings of a walk, with their places.
export interface Fault {
  screen: string
  where: string
  fault: string
}

export interface Tally {
  loads: number
  looks: number
  acts: number
  /** Endpoints that were asked: `tokens.list`. */
  asked: Set<string>
  faults: Fault[]
}

export const newTally = (): Tally => ({ loads: 0, looks: 0, acts: 0, asked: new Set(), faults: [] })

/** The same fault at many places is one line. */
export function summed(faults: readonly Fault[]): string[] {
  const places = new Map<string, string[]>()
  for (const { screen, where, fault } of faults) {
    const key = `${screen}: ${fault}`
    places.set(key, [...(places.get(key) ?? []), where])
  }
  return [...places].map(
    ([key, where]) => `${key} (${where.length === 1 ? where[0] : `${where.length} times, first ${where[0]}`})`,
  )
}
