// The page of the item that was changed.
import type { AuditRow } from '../../../core/audit/audit.ts'

const number = /^\d+$/

const PATHS: Record<string, (target: string) => string | null> = {
  user: (id) => `/user/${id}`,
  channel: (id) => (number.test(id) ? `/channel/edit/${id}` : '/channel'),
  team: () => '/teams?all=true',
  redemption: () => '/redemption',
  topup: () => '/topup?all=true',
  setting: () => '/setting',
  provider: () => '/setting?tab=system',
  price: (model) => `/channel?${new URLSearchParams({ model: model.split(' ').at(-1) ?? '' }).toString()}`,
  log: () => '/log',
}

/** Returns null if it has no page, or was deleted for good. */
export function findTargetPath({ action, target }: Pick<AuditRow, 'action' | 'target'>): string | null {
  const [noun = '', verb] = action.split('.')
  return verb === 'delete' ? null : (PATHS[noun]?.(target) ?? null)
}
