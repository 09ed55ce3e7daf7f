// The endpoints of drawings and tasks.
import type { Caller } from '../auth/caller.ts'
import type { Handlers } from '../auth/handler.ts'
import { sliceFromZero } from '../contract/page.ts'
import { fail } from '../errors.ts'
import type { Storage } from '../ports/storage.ts'
import type { Settings } from '../settings/index.ts'
import type { tasks } from './contract.ts'
import { shownImage } from './drawing.ts'
import type { DrawingFilter, TaskFilter } from './store.ts'

interface Ports {
  storage: Storage
  settings(): Settings
}

type Placed<Filter> = Filter & { p: number; page_size: number }

export function createTaskHandlers({ storage, settings }: Ports): Handlers<typeof tasks> {
  const drawings = async ({ p, page_size, ...filter }: Placed<DrawingFilter>) => {
    const { items, total } = await storage.tasks.drawings(filter, sliceFromZero(p, page_size))
    return { data: items.map((drawing) => ({ ...drawing, image_url: shownImage(drawing, settings()) })), total }
  }
  const list = async ({ p, page_size, ...filter }: Placed<TaskFilter>) => {
    const { items, total } = await storage.tasks.list(filter, sliceFromZero(p, page_size))
    return { data: items, total }
  }
  const own = ({ user }: Caller) => user?.id ?? fail('access.login_required')

  return {
    drawings,
    drawingsSelf: (query, { caller }) => drawings({ ...query, channel_id: 0, user_id: own(caller) }),
    list,
    listSelf: (query, { caller }) => list({ ...query, channel_id: 0, user_id: own(caller) }),
  }
}
