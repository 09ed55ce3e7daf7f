// Samples Weir's main thread under each load, once it is warm, and prints the functions with the most time of their
// own.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { GATEWAY_CORE, ROOT, temporaryFolder } from './processes.ts'
import { WARM_SECONDS, type Suite } from './suites.ts'
import type { World } from './world.ts'
import { serve, type Installation } from './weir.ts'

const TOP = 60

interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[]
  samples: number[]
  timeDeltas: number[]
}

/** Runs in the gateway: the first SIGUSR2 begins the samples, the second writes them. */
const sampler = (file: string): string => `
  import { Session } from 'node:inspector'
  import { writeFileSync } from 'node:fs'
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.setSamplingInterval', { interval: 200 })
  let begun = false
  process.on('SIGUSR2', () => {
    if (begun) session.post('Profiler.stop', (_, { profile }) => writeFileSync('${file}', JSON.stringify(profile)))
    else session.post('Profiler.start')
    begun = true
  })`

/** The table for one load. */
export async function profile(world: World, suite: Suite, installation: Installation): Promise<string> {
  const file = join(await temporaryFolder('profile'), 'main.cpuprofile')
  const loaded = `data:text/javascript,${encodeURIComponent(sampler(file))}`
  const child = await serve(installation, GATEWAY_CORE, { node: ['--import', loaded] })
  await world.load({ ...suite.load, seconds: WARM_SECONDS }, child.address)
  process.kill(child.pid, 'SIGUSR2')
  const result = await world.load({ ...suite.load, seconds: Math.max(5, suite.load.seconds) }, child.address)
  process.kill(child.pid, 'SIGUSR2')
  for (let waited = 0; !existsSync(file) && waited < 10_000; waited += 100) await sleep(100)
  await child.stop()
  if (!existsSync(file)) throw new Error(`no profile was written: ${child.complaints()}`)
  return `${suite.name}: ${result.calls_s}/s while profiled\n${topOf(JSON.parse(readFileSync(file, 'utf8')) as Profile)}`
}

function topOf({ nodes, samples, timeDeltas }: Profile): string {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]))
  const times = new Map<string, number>()
  let whole = 0
  samples.forEach((id, index) => {
    const name = names.get(id) ?? '?'
    const us = timeDeltas[index] ?? 0
    if (name === '(idle)') return
    whole += us
    times.set(name, (times.get(name) ?? 0) + us)
  })
  const places = new Map<string, number>()
  for (const [name, us] of times) {
    const place = placeOf(name)
    places.set(place, (places.get(place) ?? 0) + us)
  }
  return [listed(places, whole, 12), '', listed(times, whole, TOP)].join('\n')
}

const listed = (times: Map<string, number>, whole: number, most: number): string =>
  [...times]
    .sort(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([name, us]) => `${((us / whole) * 100).toFixed(1).padStart(6)} %  ${name}`)
    .join('\n')

function nameOf({ functionName, url, lineNumber }: Profile['nodes'][number]['callFrame']): string {
  const file = url.replace(/^file:\/\//, '').replace(`${ROOT}`, '')
  const name = functionName === '' ? '(anonymous)' : functionName
  return file === '' ? name : `${name}  ${file}:${lineNumber + 1}`
}

/** The part of the program that a function belongs to. */
function placeOf(name: string): string {
  const file = name.split('  ')[1] ?? ''
  const library = /node_modules\/(@[^/]+\/[^/]+|[^/]+)/.exec(file)?.[1]
  if (library) return `[${library}]`
  const own = /^dist\/([a-z]+\/[a-z]+)/.exec(file)?.[1]
  if (own) return `[${own}]`
  return file.startsWith('node:')
    ? `[${file.split(':').slice(0, 2).join(':')}]`
    : '[native code and garbage collection]'
}
