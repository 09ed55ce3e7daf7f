// A sample of what `every-fault.ts` does to all of them: recorded streams that break, stall or come in strange pieces.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startUpstream, type TestUpstream } from '../support/upstream.ts'
import { cases, clients } from './cases.ts'
import { openWorld, type World } from './channels.ts'
import { createReferences, type References } from './check.ts'
import { cut, cutInside, eventsOf, garbled, playFault, split } from './faults.ts'

/** Each stream to its own client, and to one of the others, in turns. */
const streams = cases
  .filter(({ streamed }) => streamed)
  .filter(({ recording, own, client }, index, all) => {
    const turn = new Set(all.slice(0, index).map((one) => one.recording)).size
    return own === client || clients[turn % clients.length] === client || recording.features.includes('error_midstream')
  })
const STALLED = 30

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

  it.each(streams.map((one) => [one.recording.id, one.client.name, one] as const))('%s to %s', async (_, __, one) => {
    const count = eventsOf(one).length
    const binary = one.recording.response.base64 !== undefined
    const size = Buffer.concat(eventsOf(one)).length
    const faults = [
      split(one),
      cut(one, 1, 'end'),
      cut(one, Math.floor(count / 2), 'reset'),
      cut(one, count - 1, 'end'),
      cutInside(one, Math.floor(size / 2)),
      cutInside(one, size - 3),
      ...(binary ? [] : [garbled(one, Math.floor(count / 3))]),
    ]
    for (const fault of faults) expect(await playFault(world, references, one, fault), fault.name).toEqual([])
  })

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
