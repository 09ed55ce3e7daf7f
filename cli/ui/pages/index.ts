// The pages of `weir ui` in order: `1` opens the first.
import type { AnyPage } from '../page.ts'
import { channels } from './channels.ts'
import { ledger } from './ledger.ts'
import { live } from './live.ts'
import { models } from './models.ts'
import { people } from './people.ts'
import { settings } from './settings.ts'
import { tasks } from './tasks.ts'
import { tokens } from './tokens.ts'

export const pages: readonly AnyPage[] = [live, channels, people, tokens, models, ledger, tasks, settings]
