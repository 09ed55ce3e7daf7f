// Breaks every recorded stream behind every event, for the clients of all formats:
//   npx tsx test/conformance/every-fault.ts [--callers 6] [--only RECORDING-ID] [--step 97]
// Each is cut there by an end and by a reset (for the other clients by an end), one event in four (in sixteen) is
// garbled, each stream is split inside its characters and line ends, and stalls at three places. Then each is cut behind
// every so many bytes (`--step`, 1 for every one), for its own client.
import { parseArgs } from 'node:util'
import { startUpstream } from '../support/upstream.ts'
import { cases, type Case } from './cases.ts'
import { openWorld, type World } from './channels.ts'
import { createReferences } from './check.ts'
import { cut, cutInside, eventsOf, garbled, playFault, split, type Fault } from './faults.ts'

const { values } = parseArgs({
  options: {
    callers: { type: 'string', default: '6' },
    only: { type: 'string' },
    step: { type: 'string', default: '97' },
  },
})
const say = (line: string) => process.stdout.write(`${line}\n`)
// Anthropic's client tells which models are old, Google's what it makes of two keys.
Object.assign(console, { warn: () => undefined, error: () => undefined, debug: () => undefined })

const streams = cases.filter(({ streamed, recording }) => streamed && (!values.only || recording.id === values.only))

function faultsOf(one: Case): Fault[] {
  const own = one.own === one.client
  const places = eventsOf(one).map((_, at) => at)
  const binary = one.recording.response.base64 !== undefined
  return [
    split(one),
    ...places.map((at) => cut(one, at, 'end')),
    ...(own ? places.map((at) => cut(one, at, 'reset')) : []),
    ...(binary ? [] : places.filter((at) => at % (own ? 4 : 16) === 0).map((at) => garbled(one, at))),
  ]
}

/** One after another: all cuts of a long stream at once are more than there is memory for. */
function* cutsInside(one: Case): Iterable<Fault> {
  const step = Number(values.step)
  const size = one.own === one.client ? Buffer.concat(eventsOf(one)).length : 0
  for (let at = 0; at < Math.floor(size / step); at++) yield cutInside(one, at * step)
}

function stallsOf(one: Case): Fault[] {
  const count = eventsOf(one).length
  const places = new Set([1, Math.floor(count / 2), count - 1])
  return one.own === one.client ? [...places].filter((at) => at > 0).map((at) => cut(one, at, 'stall')) : []
}

const first = await openWorld(streams.map(({ place }) => place))
const upstream = await startUpstream()
const references = createReferences(upstream)
const worlds: World[] = [first]
while (worlds.length < Number(values.callers)) worlds.push(await first.another())
for (const one of streams) await references.heard(one)

let played = 0
let wrong = 0
const begun = Date.now()

/** Plays faults of every stream, several callers at a time. */
async function playAll(title: string, some: (one: Case) => Iterable<Fault>): Promise<void> {
  const left = [...streams]
  async function work(world: World): Promise<void> {
    for (let one = left.shift(); one; one = left.shift()) {
      const { recording, client } = one
      for (const fault of some(one)) {
        played++
        for (const problem of await playFault(world, references, one, fault)) {
          wrong++
          say(
            `  WRONG: ${recording.provider} ${recording.api} ${recording.id} to ${client.name}, ${fault.name}: ${problem}`,
          )
        }
      }
      const done = streams.length - left.length
      if (done % 20 === 0) say(`${title}: ${done} of ${streams.length} streams, ${played} faults, ${wrong} wrong`)
    }
  }
  await Promise.all(worlds.map(work))
}

await playAll('cut, garbled and split', faultsOf)
await playAll('cut inside', cutsInside)
await first.weir.set('relay.idle_timeout_seconds', 1)
await first.weir.set('relay.first_content_seconds', 1)
await playAll('stalled', stallsOf)
const { ok, open_holds } = await first.weir.gateway.client.quota.verify()
await first.close()
await upstream.close()
say(`${played} faults of ${streams.length} streams in ${Math.round((Date.now() - begun) / 1000)} s: ${wrong} wrong`)
say(`the books ${ok ? 'agree' : 'DISAGREE'}, ${open_holds} holds are open`)
process.exitCode = wrong === 0 && ok && open_holds === 0 ? 0 : 1
