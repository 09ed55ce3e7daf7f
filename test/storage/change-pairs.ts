// The users and the changes by endpoints that are made to one object at the same time.
import type { Caller } from '../../core/auth/caller.ts'
import type { MemoryGateway } from '../core/gateway.ts'
import { signedIn } from '../support/signed-in.ts'

/** A change of one thing. Its name says what it does; whoever asks is one of the people of the thing. */
export interface PairedChange<Thing> {
  name: string
  run(thing: Thing): Promise<unknown>
}
export type Ask<Thing> = (thing: Thing) => [caller: Caller, endpoint: string, input: Record<string, unknown>]

export interface Aggregate<Thing = unknown> {
  make(): Promise<Thing>
  changes: PairedChange<Thing>[]
  /** How it stands, without numbers and times that differ from one to the next. */
  look(thing: Thing): Promise<unknown>
}

export type Person = Caller & { name: string; id: number }

export interface PairWorld {
  weir: MemoryGateway
  root: Caller
  fresh(prefix: string): string
  person(quota?: number): Promise<Person>
  quotaOf(id: number): Promise<number | undefined>
  change<Thing>(name: string, ask: Ask<Thing>): PairedChange<Thing>
}

export async function openPairWorld(weir: MemoryGateway): Promise<PairWorld> {
  const { storage } = weir
  const root = await weir.as('root')
  let names = 0
  const fresh = (prefix: string) => `${prefix}${(names += 1)}`
  return {
    weir,
    root,
    fresh,
    change: (name, ask) => ({ name, run: (thing) => weir.ask(...ask(thing)) }),
    async person(quota = 0) {
      const name = fresh('p')
      await weir.ask(root, 'users.create', { username: name, password: 'long enough' })
      const { user } = (await storage.users.findByLogin(name))!
      if (quota > 0) await weir.ask(root, 'users.topUp', { user_id: user.id, quota })
      return { ...signedIn(user), name, id: user.id }
    },
    quotaOf: async (id) => (await storage.users.find(id))?.quota,
  }
}
