// Work about one thing, one after the other: what comes second sees what the first has written.

export type InTurn = <T>(about: string, work: () => Promise<T>) => Promise<T>

export function createKeyedMutex(): InTurn {
  const last = new Map<string, Promise<unknown>>()
  return (about, work) => {
    const mine = (last.get(about) ?? Promise.resolve()).then(work, work)
    const over = mine
      .catch(() => undefined)
      .finally(() => {
        if (last.get(about) === over) last.delete(about)
      })
    last.set(about, over)
    return mine
  }
}
