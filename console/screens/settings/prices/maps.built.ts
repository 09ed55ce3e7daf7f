// The settings that are price maps, with their declarations.
import { declaredSettings } from '../../../../core/settings/index.ts'
import type { Setting } from '../../../../core/settings/setting.ts'

export const PRICE_MAP_SETTINGS = Object.entries(declaredSettings as Record<string, Setting<unknown>>)
  .filter(([, { card }]) => card === 'operation.prices')
  .sort(([, one], [, other]) => one.order - other.order)
  .map(([key, { label, help, writer }]) => ({ key, label, help, isRoots: writer === 'root' }))
