// The endpoints of drawings and tasks.
import type { Handlers } from '../auth/handler.ts'
import { DEFAULT_PAGE_SIZE, sliceFromZero } from '../contract/page.ts'
import { fail } from '../errors.ts'
import type { Storage } from '../ports/storage.ts'
import type { Settings } from '../settings/index.ts'
import type { tasks } from './contract.ts'
import { shownImage } from './drawing.ts'
import type { DrawingFilter } from './store.ts'

interface Ports {
  storage: Storage
  settings(): Settings
}

export function createTaskHandlers({ storage, settings }: Ports): Handlers<typeof tasks> {
  const page = (p: number) => sliceFromZero(Math.max(0, p), DEFAULT_PAGE_SIZE)
  const drawings = async (p: number, filter: DrawingFilter) =>
    (await storage.tasks.drawings(filter, page(p))).map((drawing) => ({
      ...drawing,
      image_url: shownImage(drawing, settings()),
    }))

  return {
    drawings: ({ p, ...filter }) => drawings(p, filter),
    drawingsSelf: ({ p, ...filter }, { caller }) =>
      drawings(p, { ...filter, channel_id: 0, user_id: caller.user?.id ?? fail('access.login_required') }),
    list: ({ p, ...filter }) => storage.tasks.list(filter, page(p)),
    listSelf: ({ p, ...filter }, { caller }) =>
      storage.tasks.list(
        { ...filter, channel_id: 0, user_id: caller.user?.id ?? fail('access.login_required') },
        page(p),
      ),
  }
}
