// A sample of what `every-fault.ts` does to all of them: recorded streams that break, stall or come in strange pieces. `npm test`
// plays each kind of fault to each client, in its own format and in another one, and breaks a stream of each provider.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { coverTraits } from '../support/cover-traits.ts'
import { listFailures } from '../support/list-failures.ts'
import { runsAllTests } from '../support/suite.ts'
import { startUpstream, type TestUpstream } from '../support/upstream.ts'
import { cases, clients, type Case } from './cases.ts'
import { openWorld, type World } from './channels.ts'
import { createReferences, type References } from './check.ts'
import { cut, cutInside, eventsOf, garbled, playFault, split, type Fault } from './faults.ts'

/** Each stream to its own client, and to one of the others, in turns. */
const streams = cases
  .filter(({ streamed }) => streamed)
  .filter(({ recording, own, client }, index, all) => {
    const turn = new Set(all.slice(0, index).map((one) => one.recording)).size
    return own === client || clients[turn % clients.length] === client || recording.features.includes('error_midstream')
  })
const STALLED = runsAllTests ? 30 : 10

const sizeOf = (one: Case): number => Buffer.concat(eventsOf(one)).length
const countOf = (one: Case): number => eventsOf(one).length
const FAULTS = {
  split,
  'ends behind its first event': (one) => cut(one, 1, 'end'),
  'is reset in its middle': (one) => cut(one, Math.floor(countOf(one) / 2), 'reset'),
  'ends before its last event': (one) => cut(one, countOf(one) - 1, 'end'),
  'ends inside an event in its middle': (one) => cutInside(one, Math.floor(sizeOf(one) / 2)),
  'ends inside its last event': (one) => cutInside(one, sizeOf(one) - 3),
  garbled: (one) => garbled(one, Math.floor(countOf(one) / 3)),
} satisfies Record<string, (one: Case) => Fault>
type FaultKind = keyof typeof FAULTS
interface BrokenStream {
  one: Case
  kind: FaultKind
}

/** In turns, so that the part that `npm test` plays has many streams. */
const kinds = Object.keys(FAULTS) as FaultKind[]
const all = kinds.flatMap((_, turn) =>
  streams.map((one, index): BrokenStream => ({ one, kind: kinds[(turn + index) % kinds.length] ?? 'split' })),
)
/** A binary event cannot be garbled as a text can. */
const possible = all.filter(({ one, kind }) => kind !== 'garbled' || one.recording.response.base64 === undefined)
const broken = coverTraits(possible, ({ one, kind }) => [
  `${kind} from ${one.own.name}`,
  `${kind} to ${one.client.name}`,
  `${kind}, ${one.own === one.client ? 'own' : 'other'} client`,
  `${one.own.name} to ${one.client.name}`,
  one.recording.provider,
])
const nameCase = ({ one, kind }: BrokenStream): string => `${one.recording.id} to ${one.client.name}, ${kind}`
const TIMEOUT_MS = 600_000

describe('recorded streams that break', () => {
  let world: World
  let bare: TestUpstream
  let references: References
  beforeAll(async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    vi.spyOn(console, 'error').mockImplementation(() => {})
    world = await openWorld(streams.map(({ place }) => place))
    bare = await startUpstream()
    references = createReferences(bare)
  }, 120_000)
  afterAll(() => Promise.all([world.close(), bare.close()]))

  it.each(clients)(
    'are whole or an error to $name, and right in the books',
    { timeout: TIMEOUT_MS },
    async (client) => {
      const own = broken.filter(({ one }) => one.client === client)
      const failures = await listFailures(own, nameCase, async ({ one, kind }) => {
        const fault = FAULTS[kind](one)
        expect(await playFault(world, references, one, fault), fault.name).toEqual([])
      })
      expect(failures).toEqual([])
      expect(own.length).toBeGreaterThan(0)
    },
  )

  it('silence ends every one of them, too', async () => {
    await world.weir.set('relay.idle_timeout_seconds', 1)
    const some = streams.filter((_, index) => index % Math.ceil(streams.length / STALLED) === 0)
    for (const one of some) await references.heard(one)
    const problems = await Promise.all(
      some.map(async (one) => {
        const fault = cut(one, Math.floor(eventsOf(one).length / 2), 'stall')
        return (await playFault(await world.another(), references, one, fault)).map((said) => [one.recording.id, said])
      }),
    )
    expect(problems.flat()).toEqual([])
  })

  it('leaves books that agree', async () => {
    const { ok, open_holds } = await world.weir.gateway.client.quota.verify()
    expect({ ok, open_holds }).toEqual({ ok: true, open_holds: 0 })
  })
})
