// Display of browser sessions, and search by id.
import type { WeirClient } from '../../core/contracts.ts'
import { fillTemplate } from '../../core/errors.ts'
import { GatewayRefusal } from '../failure.ts'
import { parseId } from '../input/flags.ts'
import { words } from '../texts.ts'
import { count, flag, text, time, type OutputView } from '../output/view.ts'

export type LoginSession = Awaited<ReturnType<WeirClient['users']['sessions']>>[number]

export const loginSessionView: OutputView<LoginSession> = {
  id: count(words('ID'), 1, ({ id }) => id),
  last_use: time(words('LAST USE'), 1, (session) => session.used_time),
  ip: text(words('ADDRESS'), 2, ({ ip }) => ip),
  user_agent: text(words('PROGRAM'), 2, (session) => session.user_agent, { flexible: true }),
  current: flag(words('THIS ONE'), 5, ({ current }) => current),
  signed_in: time(words('SIGNED IN'), 3, (session) => session.created_time),
  expires: time(words('EXPIRES'), 4, (session) => session.expires_time),
}

/** Returns the caller's session by id. @throws Refusal if it does not exist */
export async function findRequiredSession(weir: WeirClient, text: string): Promise<LoginSession> {
  const id = parseId(text)
  const found = (await weir.users.sessions()).find((session) => session.id === id)
  if (found) return found
  throw new GatewayRefusal(
    fillTemplate(words('Session {id} not found: see `weir sessions`.'), { id }),
    'session.missing',
  )
}
