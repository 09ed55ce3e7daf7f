// A resource of the host that runs out is reported once when that begins and once when it is over, and needs attention
// in between.
import { expect, it } from 'vitest'
import { createProcessHost } from '../../../core/adapters/platform.ts'
import { listAdminFindings } from '../../../core/attention/findings.ts'
import { createHostWatch, findHostProblems } from '../../../core/attention/host-watch.ts'
import type { HostVitals } from '../../../core/ports/machine.ts'

const well: HostVitals = { stalled_ms: 20, descriptors: { open: 100, most: 1024 }, memory: { used: 100, most: 1000 } }
const ill = {
  loop_stalls: { ...well, stalled_ms: 2300.4 },
  descriptors: { ...well, descriptors: { open: 1000, most: 1024 } },
  memory: { ...well, memory: { used: 950, most: 1000 } },
}

it.each(Object.entries(ill))('%s', async (trouble, vitals) => {
  const said: string[] = []
  const logger = {
    info: (message: string) => void said.push(`info ${message}`),
    warn: (message: string, fields?: object) => void said.push(`warn ${message} ${JSON.stringify(fields)}`),
    error: () => undefined,
  }
  const looks = [well, vitals, vitals, well, well]
  const watch = createHostWatch({ host: { vitals: async () => looks.shift() ?? well, close: () => undefined }, logger })
  const kinds = () =>
    listAdminFindings({ channels: [], hours: [], unpriced: [], host: watch.troubles() }).map(({ kind }) => kind)
  await watch.look()
  expect([said, kinds()]).toEqual([[], []])
  await watch.look()
  await watch.look()
  expect(kinds()).toEqual([trouble])
  expect(said).toEqual([expect.stringMatching(/^warn .+\. .*\{.*\d/)])
  await watch.look()
  await watch.look()
  expect(kinds()).toEqual([])
  expect(said.slice(1)).toEqual([expect.stringMatching(/^info .+ again$/)])
})

it('a system that tells nothing of file descriptors has no trouble with them', () => {
  expect(findHostProblems({ ...well, descriptors: null })).toEqual({})
})

it('a real process is told as it is', async () => {
  const host = createProcessHost()
  await host.vitals()
  await new Promise((resolve) => setTimeout(resolve, 120))
  const until = Date.now() + 300
  while (Date.now() < until) continue
  await new Promise((resolve) => setTimeout(resolve, 120))
  const { stalled_ms, descriptors, memory } = await host.vitals()
  host.close()
  expect(stalled_ms).toBeGreaterThan(100)
  if (process.platform === 'linux') expect(descriptors?.open).toBeGreaterThan(2)
  expect(memory.used).toBeGreaterThan(0)
  expect(memory.most).toBeGreaterThan(memory.used)
})
