// Measures the CPU time of idle open tasks: of the built Weir while 10,000 are open.
//   npx tsx test/bench/open-tasks.ts [--tasks 10000] [--seconds 60]     after a build
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openGateway, readConfig } from '../../core/index.ts'
import { newTask } from '../storage/samples.ts'
import { asRoot, setUp, startBuiltServer } from '../support/built-server.ts'
import { startVendor, type PlayedVendor } from '../tasks/vendor.ts'

const { values } = parseArgs({
  options: { tasks: { type: 'string', default: '10000' }, seconds: { type: 'string', default: '60' } },
})
const TICKS_PER_SECOND = 100

/** Always the same: under way. */
let asked = 0
const standing: PlayedVendor = {
  name: 'standing',
  submits: () => false,
  refuse: () => ({ status: 500 }),
  answer({ json, path }) {
    asked += 1
    const ids = Array.isArray(json.ids) ? json.ids.map(String) : []
    if (path.startsWith('/v1/videos/'))
      return { json: { id: path.slice(11), object: 'video', status: 'in_progress', progress: 40 } }
    return {
      json: { code: 'success', data: ids.map((task_id) => ({ task_id, status: 'IN_PROGRESS', progress: '40%' })) },
    }
  },
}

/** Seconds of the processor that a process has used. */
async function used(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

const KINDS = {
  'asked for together (Suno)': { type: 36, format: 'suno', platform: 'suno', model: 'suno_music', look: '' },
  'asked for one by one (films)': {
    type: 1,
    format: 'openai-videos',
    platform: 'video',
    model: 'sora-2',
    look: '/v1/videos/',
  },
}

for (const [name, kind] of Object.entries(KINDS)) {
  const folder = await mkdtemp(join(tmpdir(), 'weir-open-tasks-'))
  const env = { WEIR_DATA: folder, LOG_LEVEL: 'error' }
  const vendor = await startVendor(standing)
  const first = await startBuiltServer(env)
  const root = await setUp(env, first.url)
  await root.client.settings.update({ key: 'tasks.forget_minutes', value: '10000' })
  const [channel] = await root.client.channels.create({
    name: 'c',
    type: kind.type,
    key: 'k',
    base_url: vendor.url,
    models: kind.model,
  })
  first.child.kill('SIGTERM')
  await first.ended
  const gateway = await openGateway(readConfig({ data: folder, log_level: 'error' }, {}, false))
  const { storage } = gateway.ports
  const submit_time = Date.now() - 600_000
  for (let n = 0; n < Number(values.tasks); n += 1) {
    const id = `task-${n}`
    const look = kind.look === '' ? '' : JSON.stringify({ method: 'GET', path: kind.look + id })
    const { format, platform, model } = kind
    await storage.tasks.add(
      newTask({
        task_id: id,
        upstream_id: id,
        format,
        platform,
        model,
        look,
        channel_id: channel!.id,
        status: 'IN_PROGRESS',
        progress: '40%',
        finish_time: 0,
        submit_time,
      }),
      Math.random() * 30_000,
    )
  }
  await gateway.close()
  const server = await startBuiltServer(env)
  await asRoot(server.url)
  // Each has been seen once: nothing is new from here on.
  await sleep(40_000)
  const [before, questions, since] = [await used(server.child.pid!), asked, Date.now()]
  await sleep(Number(values.seconds) * 1000)
  const seconds = (Date.now() - since) / 1000
  const share = ((await used(server.child.pid!)) - before) / seconds
  process.stdout.write(
    `${values.tasks} tasks ${name}: ${(share * 100).toFixed(1)} % of a core, ${((asked - questions) / seconds).toFixed(1)} questions a second\n`,
  )
  server.child.kill('SIGTERM')
  await server.ended
  await vendor.close()
  await rm(folder, { recursive: true, force: true })
}
