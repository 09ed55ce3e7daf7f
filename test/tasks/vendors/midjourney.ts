// A Midjourney proxy, as the pages of midjourney-proxy and its Plus have it: https://github.com/novicezk/midjourney-proxy
// and https://github.com/litter-coder/midjourney-proxy-plus.
import { fileReply, type PlayedVendor, type Shelf, type Stage, type VendorReply, type VendorTask } from '../vendor.ts'
import { buttonsOf } from './midjourney-buttons.ts'

/** What is said from outside beside courses and moods. */
export interface MidjourneySays {
  /** Wanted in `mj-api-secret`; everything is let in where it is empty. */
  secret: string
  /**
   * What submissions come to: 1 taken, 21 there already, 22 queued, 23 queue full, 24 banned word, 3 no account, 4 a bad
   * request, 9 its own fault. A dialog that opens is 21 all the same.
   */
  code: 1 | 3 | 4 | 9 | 21 | 22 | 23 | 24
  /** Some proxies write ids as numbers. */
  numbers: boolean
  /** Is what a dialog was filled in with a task of its own? Real proxies go on with the one that opened it. */
  newModalIds: boolean
  /** Tells of a task that nobody asked about too. */
  strays: boolean
  /** Somebody ended its tasks there. */
  cancels: boolean
}

export const playMidjourney = (said: Partial<MidjourneySays> = {}): PlayedVendor & { says: MidjourneySays } => {
  const says: MidjourneySays = {
    secret: 'mj-secret',
    code: 1,
    numbers: false,
    newModalIds: false,
    strays: false,
    cancels: false,
    ...said,
  }
  const tasks = new Map<string, VendorTask>()
  /** Tasks whose dialog is open: they go on when it is filled in. */
  const dialogs = new Set<string>()

  const told = (task: VendorTask, stage: Stage, shelf: Shelf) => ({
    ...shown(task, stage, dialogs.has(task.id), shelf.url),
    ...(says.cancels ? { status: 'CANCEL', failReason: null } : {}),
  })

  const lookedAt = (ids: unknown, shelf: Shelf) =>
    (Array.isArray(ids) ? ids : []).flatMap((id) => {
      const task = tasks.get(String(id))
      const stage = dialogs.has(String(id)) ? shelf.peek(String(id)) : shelf.look(String(id))
      return task && stage ? [told(task, stage, shelf)] : []
    })

  const submission = (id: string, code: number, description: string, properties = {}): VendorReply => ({
    json: { code, description, result: says.numbers ? Number(id) : id, properties },
  })
  const refusal = (code: number, description: string, properties = {}): VendorReply => ({
    json: { code, description, result: null, properties },
  })

  return {
    name: 'midjourney',
    says,
    id: (n) => String(1_730_000_000_000_000 + n),
    submits: ({ method, path }) => method === 'POST' && SUBMIT.test(path),
    refuse: (mood) =>
      mood === 'refuses'
        ? // As gateways say it that stand before one; a proxy itself says it with status 200 (`says.code`).
          { status: 400, json: { code: 4, description: 'prompt must not be empty', type: 'upstream_error' } }
        : mood === 'overloaded'
          ? { status: 429, json: { code: 23, description: 'too many requests' } }
          : { status: 500, json: { code: 9, description: 'discord does not answer' } },

    callback(task, stage, shelf) {
      const { notifyHook } = task.asked
      return typeof notifyHook === 'string' && notifyHook !== ''
        ? { url: notifyHook, json: told(task, stage, shelf) }
        : undefined
    },

    answer(request, shelf) {
      const { method, path, json, headers } = request
      if (method === 'GET' && path.startsWith('/attachments/')) return fileReply(request, 'image/png')
      if (!PROXY.test(path)) return undefined
      if (says.secret !== '' && headers['mj-api-secret'] !== says.secret)
        return { status: 401, json: { code: 401, description: 'Unauthorized' } }

      const [, id, what] = /\/mj\/task\/(\d+)\/(fetch|image-seed)$/.exec(path) ?? []
      if (method === 'GET' && id && what === 'fetch') {
        const [found] = lookedAt([id], shelf)
        return found ? { json: found } : { status: 404, json: { code: 3, description: 'no such task' } }
      }
      if (method === 'GET' && id)
        return tasks.has(id)
          ? { json: { code: 1, description: 'success', result: '1421536243' } }
          : refusal(3, 'the related task does not exist or has expired')
      if (method === 'POST' && path.endsWith('/mj/task/list-by-condition')) {
        const found = lookedAt(json.ids, shelf)
        return { json: says.strays ? [STRAY, ...found] : found }
      }

      const [, kind = ''] = (method === 'POST' && SUBMIT.exec(path)) || []
      if (kind === '') return undefined
      const refused = says.code === 1 ? wrongIn(kind, json) : undefined
      if (refused !== undefined) return refusal(4, refused)
      if (says.code in REFUSED) {
        const { description, properties } = REFUSED[says.code]!
        return refusal(says.code, description, properties)
      }
      if (kind === 'upload-discord-images') {
        const pictures = Array.isArray(json.base64Array) ? json.base64Array : []
        const result = pictures.map((_, at) => `${shelf.url}/attachments/uploaded-${at + 1}.png`)
        return { json: { code: 1, description: 'success', result } }
      }

      const origin = typeof json.taskId === 'string' ? tasks.get(json.taskId) : undefined
      if (FOLLOW_UPS.includes(kind) && !origin) return refusal(3, 'the related task does not exist or has expired')
      if (kind === 'modal' && origin) {
        if (!dialogs.delete(origin.id)) return refusal(4, 'the task is not waiting for a window')
        if (!says.newModalIds) {
          Object.assign(origin.asked, { ...json, taskId: origin.asked.taskId })
          origin.looks = 0
          return submission(origin.id, 1, 'success')
        }
      }
      const known = says.code === 21 ? [...tasks.values()].at(-1) : undefined
      const task = known ?? shelf.take(request)
      tasks.set(task.id, task)
      if (says.code === 21) {
        const stage = shelf.peek(task.id)
        const { status, imageUrl } = stage ? told(task, stage, shelf) : { status: 'IN_PROGRESS', imageUrl: '' }
        return submission(task.id, 21, 'the task exists already', { status, imageUrl })
      }
      if (says.code === 22)
        return submission(task.id, 22, 'queued, 3 tasks are before it', {
          numberOfQueues: 3,
          discordInstanceId: '1118',
        })
      if (kind === 'action' && /^MJ::(Inpaint|CustomZoom)::/.test(String(json.customId))) {
        dialogs.add(task.id)
        return submission(task.id, 21, 'Waiting for window confirm', { finalPrompt: 'a cat', remix: true })
      }
      return submission(task.id, 1, 'success', { discordInstanceId: '1118' })
    },
  }
}

const PROXY = /^(\/mj-(fast|relax|turbo))?\/mj\//
const SUBMIT =
  /^(?:\/mj-(?:fast|relax|turbo))?\/mj\/(?:submit|insight-face)\/(imagine|change|simple-change|describe|blend|action|modal|shorten|upload-discord-images|swap)$/
const FOLLOW_UPS = ['change', 'action', 'modal']

const REFUSED: Record<number, { description: string; properties?: object }> = {
  3: { description: 'no account instance is available' },
  4: { description: 'prompt must not be empty' },
  9: { description: 'discord does not answer' },
  23: { description: 'the queue is full, try again later' },
  24: {
    description: 'the prompt may hold a banned word',
    properties: { promptEn: 'a naked cat', bannedWord: 'naked' },
  },
}

/** What a proxy finds wrong with a submission; undefined for nothing. */
function wrongIn(kind: string, asked: Record<string, unknown>): string | undefined {
  const pictures = Array.isArray(asked.base64Array) ? asked.base64Array.length : 0
  const needs: Record<string, [missing: boolean, why: string]> = {
    imagine: [!asked.prompt, 'prompt must not be empty'],
    shorten: [!asked.prompt, 'prompt must not be empty'],
    describe: [!asked.base64 && !asked.link, 'base64 or link must not be empty'],
    blend: [pictures < 2 || pictures > 5, 'base64Array must hold 2 to 5 pictures'],
    change: [!asked.taskId || !asked.action, 'taskId and action must not be empty'],
    'simple-change': [!/^\d+ ([UV][1-4]|R)$/i.test(String(asked.content)), 'content is not understood'],
    action: [!asked.taskId || !asked.customId, 'taskId and customId must not be empty'],
    modal: [!asked.taskId, 'taskId must not be empty'],
    swap: [!asked.sourceBase64 || !asked.targetBase64, 'sourceBase64 and targetBase64 must not be empty'],
    'upload-discord-images': [pictures === 0, 'base64Array must not be empty'],
  }
  const [missing, why] = needs[kind] ?? [false, '']
  return missing ? why : undefined
}

/** A task as a proxy tells of it. Times in ms. */
function shown({ asked, path, id }: VendorTask, stage: Stage, dialog: boolean, url: string) {
  const action = actionOf(path, asked)
  const ended = stage.is === 'done' || stage.is === 'failed'
  const made = stage.is === 'done' || (stage.is === 'running' && stage.progress > 30)
  const prompt = typeof asked.prompt === 'string' ? asked.prompt : ''
  return {
    id: stage.id,
    action,
    customId: typeof asked.customId === 'string' ? asked.customId : '',
    botType: typeof asked.botType === 'string' ? asked.botType : 'MID_JOURNEY',
    prompt,
    promptEn: action === 'DESCRIBE' && stage.is === 'done' ? '1️⃣ a cat on a ferry\n\n2️⃣ a ferry at night' : prompt,
    description: `/${action.toLowerCase()} ${prompt}`.trim(),
    state: typeof asked.state === 'string' ? asked.state : '',
    submitTime: 1_700_000_000_000,
    startTime: stage.is === 'waiting' ? 0 : 1_700_000_002_000,
    finishTime: ended ? 1_700_000_060_000 : 0,
    imageUrl: made && action !== 'SHORTEN' ? `${url}/attachments/${id}/${action}-${stage.edition}.png` : '',
    status: dialog ? 'MODAL' : stage.why === 'cancelled' ? 'CANCEL' : STATUS[stage.is],
    progress: stage.is === 'waiting' ? '0%' : `${stage.progress}%`,
    failReason: stage.why ?? '',
    buttons: stage.is === 'done' ? buttonsOf(action) : [],
    properties: { finalPrompt: `${prompt} --v 7`, finalZhPrompt: '' },
  }
}

const STATUS: Record<Stage['is'], string> = {
  waiting: 'SUBMITTED',
  running: 'IN_PROGRESS',
  done: 'SUCCESS',
  failed: 'FAILURE',
}

const STRAY = { id: '1', action: 'IMAGINE', status: 'FAILURE', progress: '100%', failReason: "somebody else's" }

const LETTERS: Record<string, string> = { U: 'UPSCALE', V: 'VARIATION', R: 'REROLL' }

function actionOf(path: string, { action, content, customId }: Record<string, unknown>): string {
  const kind = path.split('/').at(-1)!
  if (kind === 'change') return String(action)
  if (kind === 'simple-change') return LETTERS[String(content).split(' ')[1]![0]!.toUpperCase()]!
  if (kind === 'swap') return 'SWAP_FACE'
  if (kind !== 'action') return kind.toUpperCase()
  const pressed = String(customId)
  if (pressed.startsWith('MJ::CustomZoom::')) return 'CUSTOM_ZOOM'
  if (pressed.startsWith('MJ::Inpaint::')) return 'INPAINT'
  if (pressed.startsWith('MJ::Outpaint::')) return 'ZOOM'
  const [, word = ''] = /^MJ::JOB::(upsample|variation|low_variation|high_variation|pan|reroll)/.exec(pressed) ?? []
  return word === 'upsample' ? 'UPSCALE' : word === '' ? 'ACTION' : word.toUpperCase()
}
