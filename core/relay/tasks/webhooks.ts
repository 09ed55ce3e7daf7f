// Notifies a caller's address of changes of their task, in the caller's format: with a few attempts, and never at an
// address inside the operator's network.
import type { PublicTask } from '../../dialects/tasks/task-format.ts'
import { findTaskFormat } from '../../dialects/tasks/task-formats.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Logger } from '../../ports/logger.ts'
import type { WebClient } from '../../ports/web.ts'
import type { Settings } from '../../settings/index.ts'
import { getShownImage } from '../../tasks/drawing.ts'
import { isOver, type StoredTask, toCallerTask } from '../../tasks/task.ts'

/** Resolves when the notification was sent or has failed. */
export type NotifyWebhook = (task: StoredTask) => Promise<void>

interface WebhooksPorts {
  web: WebClient
  clock: Clock
  logger: Logger
  settings(): Settings
}

const TRIES = 3
const PAUSE_MS = 5_000
const TIMEOUT_MS = 10_000

export function createWebhookNotifier({ web, clock, logger, settings }: WebhooksPorts): NotifyWebhook {
  return async (task) => {
    const format = findTaskFormat(task.format)
    if (task.hook === '' || !format || !settings().MjNotifyEnabled) return
    const publicTask = toPublicTask(task, settings())
    const body = JSON.stringify(format.notice?.(publicTask) ?? format.writeTask(publicTask))
    for (let attempt = 1; attempt <= TRIES; attempt += 1) {
      try {
        const headers = { 'content-type': 'application/json' }
        const reply = await web.send({
          method: 'POST',
          url: task.hook,
          headers,
          body,
          timeout_ms: TIMEOUT_MS,
          by_worker: true,
        })
        if (reply.status < 300) return
      } catch (error) {
        if (attempt === TRIES) logger.warn('tasks: a caller could not be told', { task: task.id, error: String(error) })
      }
      await clock.sleep(PAUSE_MS * attempt).catch(() => undefined)
    }
  }
}

type WebhookSettings = Pick<Settings, 'MjForwardUrlEnabled' | 'ServerAddress'>

/** Changes the address of an unfinished image with its progress, so that no client shows a cached earlier state. */
function getImageUrl(task: StoredTask, settings: WebhookSettings): string {
  const image = getShownImage(task, settings)
  const drawing = settings.MjForwardUrlEnabled && image !== '' && !isOver(task.status)
  return drawing ? `${image}?rand=${Number.parseInt(task.progress, 10) || 0}` : image
}

/**
 * Converts a stored task to its public form. Images of drawings get an address of this server if the operator set that;
 * files that need a key are never given with the provider's address.
 */
export function toPublicTask(task: StoredTask, settings: WebhookSettings): PublicTask {
  const publicTask = toCallerTask(task)
  const image = getImageUrl(task, settings)
  const files = publicTask.files.map((file, at) => {
    if (task.platform === 'mj' && file.kind === 'image') return { ...file, url: at === 0 ? image : file.url }
    return file.keyed
      ? { ...file, url: `${settings.ServerAddress}/v1/videos/${encodeURIComponent(task.task_id)}/content` }
      : file
  })
  return { ...publicTask, files }
}
