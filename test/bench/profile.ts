// Where Weir's time goes: runs it with --cpu-prof under each load and prints the functions with the most time of their own.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { GATEWAY_CORE, ROOT, temporaryFolder } from './processes.ts'
import type { Suite } from './suites.ts'
import type { World } from './world.ts'
import { serve, type Installation } from './weir.ts'

const TOP = 30

interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[]
  samples: number[]
  timeDeltas: number[]
}

/** The table for one load. */
export async function profile(world: World, suite: Suite, installation: Installation): Promise<string> {
  const folder = await temporaryFolder('profile')
  const child = await serve(installation, GATEWAY_CORE, { node: ['--cpu-prof', `--cpu-prof-dir=${folder}`] })
  const result = await world.load({ ...suite.load, seconds: Math.max(5, suite.load.seconds) }, child.address)
  await child.stop()
  const files = readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'))
  // Threads write files of their own; the main one has by far the most to say.
  const texts = files.map((name) => readFileSync(join(folder, name), 'utf8')).sort((a, b) => b.length - a.length)
  if (!texts[0]) throw new Error(`no profile was written: ${child.complaints()}`)
  return `${suite.name}: ${result.calls_s}/s while profiled\n${topOf(JSON.parse(texts[0]) as Profile)}`
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
