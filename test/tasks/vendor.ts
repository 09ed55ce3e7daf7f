// Providers of tasks, played: an HTTP server that takes submissions, keeps them on a shelf and tells of them in the words
// of its vendor's documentation. How it behaves is said from outside, the same for every vendor.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/**
 * What becomes of a task. Each look at it is one step on: waiting, running at 30 and 60 %, then what its course says.
 * - `done`: ends well
 * - `never`: stays at 60 % for ever
 * - `fails`: fails at 99 %
 * - `lost`: is not known any more from the third look on
 * - `renamed`: is told under another id from the third look on
 * - `backwards`: 60 %, 30 %, done, then running again: what is asked later answers of earlier
 * - `twice`: done, then done again with another result, then failed
 */
export type TaskCourse = 'done' | 'never' | 'fails' | 'lost' | 'renamed' | 'backwards' | 'twice'

/**
 * How a vendor tells of its tasks by itself: of each change, not at all, or of the first change before it has answered the
 * submission.
 */
export type CallbackMood = 'well' | 'none' | 'early'

/** How a vendor takes what it is asked. `silent`: takes a submission and breaks the connection before it answers. */
export type VendorMood = 'well' | 'refuses' | 'overloaded' | 'broken' | 'silent'

export interface Stage {
  /** The id under which it is told. */
  id: string
  is: 'waiting' | 'running' | 'done' | 'failed'
  /** Percent. */
  progress: number
  /** Of a failure. */
  why?: string
  /** Grows each time its result is another: stands in the addresses of results. */
  edition: number
}

export interface VendorTask {
  id: string
  course: TaskCourse
  looks: number
  /** What was asked, as JSON (or fields of a form). */
  asked: Record<string, unknown>
  path: string
}

export interface VendorRequest {
  method: string
  /** Without its query. */
  path: string
  query: URLSearchParams
  headers: Record<string, string>
  /** The members of a JSON object; of a form its fields, a file among them as `FormFile`. */
  json: Record<string, unknown>
  body: Uint8Array
}

export interface FormFile {
  name: string
  type: string
  bytes: Uint8Array
}

export interface VendorReply {
  status?: number
  headers?: Record<string, string>
  json?: unknown
  bytes?: Uint8Array
}

/** What a vendor's answers are made of. */
export interface Shelf {
  /** Where the vendor is: results are at addresses of its own. */
  url: string
  /** What was asked, in that order. */
  tasks: readonly VendorTask[]
  /** Takes a submission. */
  take(request: VendorRequest): VendorTask
  /** One look at a task; undefined where it is not known (any more). */
  look(id: string): Stage | undefined
  /** The same without a step on. */
  peek(id: string): Stage | undefined
  cancel(id: string): boolean
}

/** A vendor, as its documentation has it: undefined for what it does not serve. */
export interface PlayedVendor {
  name: string
  answer(request: VendorRequest, shelf: Shelf): VendorReply | undefined
  /** How it refuses: `refuses` is what it says of a bad request, `overloaded` of too many, `broken` of a fault of its own. */
  refuse(mood: Exclude<VendorMood, 'well' | 'silent'>, request: VendorRequest): VendorReply
  /** Is this request a submission? Moods of submissions and of looks are said apart. */
  submits(request: VendorRequest): boolean
  /** How its ids look; `task-1` where it is not said. */
  id?(n: number): string
  /** What it says by itself of a task that changed, and where; undefined where nobody asked to be told. */
  callback?(task: VendorTask, stage: Stage, shelf: Shelf): { url: string; json: unknown } | undefined
}

export interface RunningVendor {
  url: string
  tasks: VendorTask[]
  requests: VendorRequest[]
  /** What becomes of the next submissions. */
  course(next: TaskCourse): void
  /** How submissions, or looks, are taken from now on. */
  mood(next: VendorMood, of?: 'submissions' | 'looks'): void
  callbacks(next: CallbackMood): void
  /** One step on that nobody looked at; resolves when its callback is delivered. */
  advance(id: string): Promise<void>
  close(): Promise<void>
}

const RUNNING = [
  { is: 'waiting', progress: 0 },
  { is: 'running', progress: 30 },
  { is: 'running', progress: 60 },
] as const

/** A file that it made: too short to be looked at, long enough to be asked for in parts. */
export const MADE = new TextEncoder().encode('made by a played vendor, 40 bytes long...')

/** The key that no vendor takes; every other one is taken. */
export const WRONG_KEY = 'wrong-key'

/** The key of a request: a bearer's, or the one in `header`. Undefined where none is sent, and where it is the wrong one. */
export function keyOf({ headers }: VendorRequest, header = 'authorization'): string | undefined {
  const key = headers[header]?.replace(/^Bearer /i, '')
  return key && key !== WRONG_KEY ? key : undefined
}

/** A made file, whole or the part that is asked for. */
export function fileReply({ headers }: VendorRequest, type = 'video/mp4'): VendorReply {
  const told = { 'content-type': type, 'accept-ranges': 'bytes' }
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? []
  if (first === undefined || (!first && !last)) return { headers: told, bytes: MADE }
  const from = first ? Number(first) : Math.max(0, MADE.length - Number(last))
  const to = first && last ? Math.min(Number(last), MADE.length - 1) : MADE.length - 1
  if (from > to) return { status: 416, headers: { 'content-range': `bytes */${MADE.length}` } }
  return {
    status: 206,
    headers: { ...told, 'content-range': `bytes ${from}-${to}/${MADE.length}` },
    bytes: MADE.slice(from, to + 1),
  }
}

export async function startVendor(vendor: PlayedVendor): Promise<RunningVendor> {
  const tasks: VendorTask[] = []
  const requests: VendorRequest[] = []
  const gone = new Set<string>()
  let next: TaskCourse = 'done'
  let telling: CallbackMood = 'well'
  const moods: Record<'submissions' | 'looks', VendorMood> = { submissions: 'well', looks: 'well' }

  const stageOf = (task: VendorTask): Stage | undefined => {
    const { course, looks } = task
    const told = { id: task.id, edition: 1 }
    if (gone.has(task.id)) return { ...told, is: 'failed', progress: 100, why: 'cancelled' }
    const running = RUNNING[Math.min(looks, RUNNING.length) - 1]
    if (course === 'lost' && looks > 2) return undefined
    if (course === 'renamed' && looks > 2) return { ...told, id: `${task.id}-other`, is: 'done', progress: 100 }
    if (course === 'backwards') {
      const back = [RUNNING[2], RUNNING[1], undefined, RUNNING[1]][Math.min(looks, 4) - 1]
      return back ? { ...told, ...back } : { ...told, is: 'done', progress: 100 }
    }
    if (running && (looks <= RUNNING.length || course === 'never')) return { ...told, ...running }
    if (course === 'fails') {
      return looks === 4
        ? { ...told, is: 'running', progress: 99 }
        : { ...told, is: 'failed', progress: 99, why: 'the prompt was refused by the content filter' }
    }
    if (course === 'twice' && looks > 5) return { ...told, is: 'failed', progress: 100, why: 'changed its mind' }
    return { ...told, is: 'done', progress: 100, edition: course === 'twice' && looks === 5 ? 2 : 1 }
  }
  const find = (id: string) => tasks.find((task) => task.id === id)
  /** Nobody there to be told is no fault of the vendor's. */
  const tell = async (task: VendorTask, stage: Stage) => {
    const callback = vendor.callback?.(task, stage, shelf)
    if (!callback) return
    const { url, json } = callback
    const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(json) }
    await fetch(url, request).then(
      (response) => response.arrayBuffer(),
      () => undefined,
    )
  }
  const step = async (task: VendorTask) => {
    const before = JSON.stringify(task.looks > 0 ? stageOf(task) : undefined)
    task.looks += 1
    const stage = stageOf(task)
    if (stage && telling === 'well' && JSON.stringify(stage) !== before) await tell(task, stage)
  }

  const server = createServer((incoming, response) => {
    void read(incoming).then(async (request) => {
      requests.push(request)
      const taken = tasks.length
      const submits = vendor.submits(request)
      const mood = moods[submits ? 'submissions' : 'looks']
      if (mood === 'silent') {
        vendor.answer(request, shelf)
        return void response.destroy()
      }
      const reply = mood === 'well' ? vendor.answer(request, shelf) : vendor.refuse(mood, request)
      const fresh = tasks[taken]
      if (telling === 'early' && fresh) await tell(fresh, { id: fresh.id, edition: 1, is: 'running', progress: 30 })
      const { status = 200, headers = {}, json, bytes } = reply ?? { status: 404, json: { error: 'no such path' } }
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(bytes ?? JSON.stringify(json ?? {}))
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const shelf: Shelf = {
    url,
    tasks,
    take(request) {
      const n = tasks.length + 1
      const task = {
        id: vendor.id?.(n) ?? `task-${n}`,
        course: next,
        looks: 0,
        asked: request.json,
        path: request.path,
      }
      tasks.push(task)
      return task
    },
    look(id) {
      const task = find(id)
      if (task) void step(task)
      return task && stageOf(task)
    },
    peek: (id) => {
      const task = find(id)
      return task && stageOf({ ...task, looks: Math.max(1, task.looks) })
    },
    cancel(id) {
      const known = find(id) !== undefined
      if (known) gone.add(id)
      return known
    },
  }
  return {
    url,
    tasks,
    requests,
    course: (course) => void (next = course),
    mood: (mood, of = 'submissions') => void (moods[of] = mood),
    callbacks: (mood) => void (telling = mood),
    async advance(id) {
      const task = find(id)
      if (task) await step(task)
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

async function read(incoming: IncomingMessage): Promise<VendorRequest> {
  const body = new Uint8Array(await buffer(incoming))
  const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://vendor')
  const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]))
  const json = headers['content-type']?.startsWith('multipart/form-data')
    ? await formIn(body, headers['content-type'])
    : jsonIn(body)
  return { method: incoming.method ?? '', path: pathname, query: searchParams, headers, json, body }
}

async function formIn(body: Uint8Array<ArrayBuffer>, type: string): Promise<Record<string, unknown>> {
  const form = await new Response(body, { headers: { 'content-type': type } }).formData()
  const fields: Record<string, unknown> = {}
  for (const [name, value] of form.entries()) {
    if (typeof value === 'string') fields[name] = value
    else {
      const file: FormFile = { name: value.name, type: value.type, bytes: new Uint8Array(await value.arrayBuffer()) }
      fields[name] = file
    }
  }
  return fields
}

function jsonIn(body: Uint8Array): Record<string, unknown> {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as Record<string, unknown>
  } catch {
    return {}
  }
}
